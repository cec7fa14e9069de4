(() => {
  const { node } = Pieces;
  const FIXED = 5;

  class Replay {
    constructor(root) {
      this.root = root;
      this.find = name => root.querySelector(name);
      this.isReady = false;
      this.range = this.find('input[type=range]');
      root.querySelectorAll('button[data-go]').forEach(button =>
        button.addEventListener('click', () => this.go(button.dataset.go)));
      this.range.addEventListener('input', () => this.show(Number(this.range.value)));
      root.addEventListener('keydown', event => this.key(event));
    }

    load() {
      if (this.isReady) return;
      this.isReady = true;
      const data = JSON.parse(this.find('script.replay-data').textContent);
      this.data = data;
      this.last = data.frames.length - 1;
      this.at = -1;
      this.undo = [];
      const empty = data.texts.indexOf('');
      this.slots = [];
      this.empty = empty;
      const picture = this.find('svg.board');
      this.board = picture && new Pieces.Board(picture);
      this.cells = this.root.querySelectorAll('td[data-gauge]');
      this.wins = this.root.querySelectorAll('td[data-win]');
      this.dirty = new Set();
      this.drawChances();
    }

    forward() {
      const frame = this.data.frames[++this.at], before = [];
      for (let i = 0; i < frame.length; i += 2) {
        const slot = frame[i];
        before.push(slot, slot in this.slots ? this.slots[slot] : this.empty);
        this.slots[slot] = frame[i + 1];
        this.dirty.add(slot);
      }
      this.undo[this.at] = before;
    }

    back() {
      const before = this.undo[this.at--];
      for (let i = 0; i < before.length; i += 2) {
        this.slots[before[i]] = before[i + 1];
        this.dirty.add(before[i]);
      }
    }

    text(slot) {
      return this.data.texts[slot in this.slots ? this.slots[slot] : this.empty];
    }

    show(to) {
      this.load();
      to = Math.max(0, Math.min(this.last, to));
      while (this.at < to) this.forward();
      while (this.at > to) this.back();
      const areas = this.data.areas;
      for (const slot of this.dirty) {
        const text = this.text(slot);
        if (slot === 0) this.find('.heading').textContent = text;
        else if (slot === 1) this.find('.event').textContent = text;
        else if (slot === 2) {
          this.find('.told').replaceChildren(...text.split('\n').filter(line => line).map(line => {
            const item = document.createElement('li');
            item.textContent = line;
            return item;
          }));
        } else if (slot === 3) this.find('.thought').textContent = text;
        else if (slot === 4) this.find('.text-board').textContent = text;
        else if (slot < FIXED + areas) this.board.set(slot - FIXED, text);
        else this.cells[slot - FIXED - areas].textContent = text;
      }
      this.dirty.clear();
      if (this.board) this.board.draw();
      this.range.value = to;
      this.range.setAttribute('aria-valuetext', this.text(0));
      this.find('output').textContent = `${to} of ${this.last}`;
      const now = this.data.chances[to] || [];
      this.wins.forEach((cell, seat) => { cell.textContent = `${(now[seat] / 10).toFixed(1)} %`; });
      if (this.cursor) {
        const x = this.x(to);
        this.cursor.setAttribute('x1', x);
        this.cursor.setAttribute('x2', x);
      }
      if (to === this.last) this.pause();
    }

    near(places, direction) {
      const at = Math.max(this.at, 0);
      if (direction > 0) {
        const next = places.find(place => place > at);
        return next === undefined ? this.last : next;
      }
      const before = places.filter(place => place < at);
      return before.length ? before[before.length - 1] : 0;
    }

    go(where) {
      this.load();
      const { stages, rounds } = this.data;
      if (where === 'play') return this.timer ? this.pause() : this.play();
      this.pause();
      const to = {
        first: () => 0, last: () => this.last, next: () => this.at + 1, back: () => this.at - 1,
        'next-round': () => this.near(rounds, 1), 'last-round': () => this.near(rounds, -1),
        'next-stage': () => this.near(stages, 1), 'last-stage': () => this.near(stages, -1),
      }[where];
      this.show(to());
    }

    play() {
      if (this.at >= this.last) this.show(0);
      this.timer = setInterval(() => this.show(this.at + 1), 350);
      this.playing(true);
    }

    pause() {
      if (!this.timer) return;
      clearInterval(this.timer);
      this.timer = undefined;
      this.playing(false);
    }

    playing(is) {
      const button = this.find('button[data-go=play]');
      button.textContent = is ? 'pause' : 'play';
      button.setAttribute('aria-pressed', is);
    }

    key(event) {
      if (event.altKey || event.ctrlKey || event.metaKey || event.target.closest('summary')) return;
      const onRange = event.target === this.range;
      const where = {
        ArrowRight: onRange ? '' : 'next', ArrowLeft: onRange ? '' : 'back', PageDown: 'next-round', PageUp: 'last-round',
        Home: 'first', End: 'last', p: 'play',
      }[event.key];
      if (!where) return;
      event.preventDefault();
      this.go(where);
    }

    x(at) {
      return 40 + 940 * at / Math.max(1, this.last);
    }

    drawChances() {
      const chart = this.find('svg.chances');
      if (!chart || !this.data.chances.length) return;
      const y = chance => 150 - 0.14 * chance;
      const seats = this.data.chances[0].length;
      for (let seat = 0; seat < seats; seat++) {
        let path = '', before;
        this.data.chances.forEach((chances, at) => {
          if (chances[seat] === before && at !== this.last) return;
          before = chances[seat];
          path += `${path ? 'L' : 'M'}${this.x(at).toFixed(1)} ${y(before).toFixed(1)}`;
        });
        chart.append(node('path', { class: `l${seat % 6}`, d: path }));
      }
      this.cursor = node('line', { class: 'cursor', y1: 6, y2: 154, x1: 40, x2: 40 });
      chart.append(this.cursor);
      const seek = event => {
        const box = chart.getBoundingClientRect();
        const share = ((event.clientX - box.left) / box.width * 1000 - 40) / 940;
        this.pause();
        this.show(Math.round(share * this.last));
      };
      chart.addEventListener('pointerdown', event => { chart.setPointerCapture(event.pointerId); seek(event); });
      chart.addEventListener('pointermove', event => { if (event.buttons) seek(event); });
    }
  }

  const replays = [...document.querySelectorAll('.replay')].map(root => [root, new Replay(root)]);
  const seen = new IntersectionObserver(entries => {
    for (const entry of entries) {
      if (!entry.isIntersecting) continue;
      seen.unobserve(entry.target);
      const [, replay] = replays.find(([root]) => root === entry.target);
      if (!replay.isReady) replay.show(0);
    }
  }, { rootMargin: '200px' });
  // The first at once, the others when they come near.
  replays.forEach(([root, replay], i) => { if (i) seen.observe(root); else replay.show(0); });
  // On paper nobody can step: who has not chosen a place in a game sees how it ended.
  let returning = [];
  addEventListener('beforeprint', () => {
    returning = replays.map(([, replay]) => replay).filter(replay => !(replay.at > 0));
    returning.forEach(replay => replay.go('last'));
  });
  addEventListener('afterprint', () => returning.forEach(replay => replay.go('first')));
})();
