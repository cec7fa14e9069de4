(() => {
  const { node } = Pieces;
  const FIXED = 6;
  // The chart in pixels: left edge of the lines, room to the right of them, top, bottom and whole height.
  const CHART = { left: 44, margin: 12, top: 16, bottom: 88, height: 110 };

  class Replay {
    constructor(root, number) {
      this.root = root;
      this.number = number;
      this.find = name => root.querySelector(name);
      this.isReady = false;
      this.isTouched = false;
      this.range = this.find('input[type=range]');
      root.querySelectorAll('button[data-go]').forEach(button =>
        button.addEventListener('click', () => this.go(button.dataset.go)));
      root.querySelectorAll('button[data-frame]').forEach(button => button.addEventListener('click', () => {
        this.load();
        this.pause();
        this.visit(Number(button.dataset.frame));
      }));
      this.range.addEventListener('input', () => this.visit(Number(this.range.value)));
      root.addEventListener('keydown', event => this.key(event));
    }

    load() {
      if (this.isReady) return;
      this.isReady = true;
      this.data = JSON.parse(this.find('script.replay-data').textContent);
      this.last = this.data.frames.length - 1;
      this.at = -1;
      this.undo = [];
      this.slots = [];
      this.empty = this.data.texts.indexOf('');
      const picture = this.find('svg.board');
      this.board = picture && new Pieces.Board(picture);
      if (this.board) this.watchBoard(picture);
      this.cells = this.root.querySelectorAll('[data-gauge]');
      this.wins = this.root.querySelectorAll('[data-win]');
      this.dirty = new Set();
      this.speed = this.find('[data-speed]');
      this.speed.addEventListener('change', () => { if (this.timer) { this.pause(); this.play(); } });
      this.line = this.find('[data-line]');
      if (this.line) this.line.addEventListener('change', () => this.drawRace());
      this.watchRace();
      this.drawRace();
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
      for (const slot of this.dirty) this.write(slot, this.text(slot));
      const marks = this.dirty.has(5);
      this.dirty.clear();
      if (this.board) {
        this.board.draw();
        if (marks) this.board.mark(this.text(5));
      }
      this.range.value = to;
      this.range.setAttribute('aria-valuetext', this.text(0));
      this.find('output').textContent = `${to} of ${this.last}`;
      const now = this.data.chances[to] || [];
      this.wins.forEach((cell, seat) => { cell.textContent = `${(now[seat] / 10).toFixed(1)} %`; });
      this.moveCursor();
      if (to === this.last && !this.find('[data-loop]').checked) this.pause();
    }

    write(slot, text) {
      const areas = this.data.areas;
      if (slot === 0) this.find('.heading').textContent = text;
      else if (slot === 1) this.find('.event').textContent = text;
      else if (slot === 2) {
        this.find('.told').replaceChildren(...text.split('\n').filter(line => line).map(line => {
          const item = document.createElement('li');
          item.textContent = line;
          return item;
        }));
      } else if (slot === 3) {
        this.find('.thought').textContent = text;
        this.find('.thinking').hidden = !text;
      } else if (slot === 4) this.find('.text-board').textContent = text;
      else if (slot === 5) return;
      else if (slot < FIXED + areas) this.board.set(slot - FIXED, text);
      else this.fill(this.cells[slot - FIXED - areas], text);
    }

    // A number as it is; a list as cards.
    fill(cell, text) {
      if (!('cards' in cell.dataset)) {
        cell.textContent = text;
        return;
      }
      cell.replaceChildren(...text.split(', ').filter(card => card).map(card => {
        const made = document.createElement('span');
        made.className = 'card';
        made.textContent = card;
        return made;
      }));
    }

    // Goes where somebody wished to go, and says so in the address.
    visit(to) {
      this.isTouched = true;
      this.show(to);
      try {
        history.replaceState(null, '', `#game=${this.number}&ply=${this.at}`);
      } catch {
        // Some places of a page allow no address.
      }
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
      const { stages, rounds, fights, scorings, open } = this.data;
      if (where === 'zoom') return this.zoom();
      if (where === 'play') return this.timer ? this.pause() : this.play();
      this.pause();
      const to = {
        first: () => 0, last: () => this.last, next: () => this.at + 1, back: () => this.at - 1,
        'next-round': () => this.near(rounds, 1), 'last-round': () => this.near(rounds, -1),
        'next-stage': () => this.near(stages, 1), 'last-stage': () => this.near(stages, -1),
        fight: () => this.near(fights, 1), scoring: () => this.near(scorings, 1), swing: () => open,
      }[where];
      this.visit(to());
    }

    play() {
      this.isTouched = true;
      if (this.at >= this.last) this.show(0);
      const step = () => this.show(this.at >= this.last && this.find('[data-loop]').checked ? 0 : this.at + 1);
      this.timer = setInterval(step, Number(this.speed.value));
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

    // Looks at the board from near, where things happen, or at the whole of it.
    zoom() {
      if (!this.board) return;
      const isNear = this.board.scale > 1;
      this.board.look(isNear ? 1 : 2.4);
      if (!isNear) this.board.mark(this.text(5));
      this.find('.picture').classList.toggle('near', !isNear);
      this.find('button[data-go=zoom]').setAttribute('aria-pressed', !isNear);
    }

    // From near, the board is moved by hand.
    watchBoard(svg) {
      let from;
      svg.addEventListener('pointerdown', event => {
        if (this.board.scale === 1) return;
        from = [event.clientX, event.clientY];
        svg.setPointerCapture(event.pointerId);
      });
      svg.addEventListener('pointermove', event => {
        if (!from || !event.buttons) return;
        const unit = svg.viewBox.baseVal.width / svg.getBoundingClientRect().width;
        const [x, y] = this.board.middle;
        this.board.look(this.board.scale, [x + (from[0] - event.clientX) * unit, y + (from[1] - event.clientY) * unit]);
        from = [event.clientX, event.clientY];
      });
      svg.addEventListener('pointerup', () => { from = undefined; });
    }

    key(event) {
      if (event.altKey || event.ctrlKey || event.metaKey || event.target.closest('summary, select')) return;
      const onRange = event.target === this.range;
      const where = {
        ArrowRight: onRange ? '' : 'next', ArrowLeft: onRange ? '' : 'back', PageDown: 'next-round', PageUp: 'last-round',
        Home: 'first', End: 'last', p: 'play', b: 'fight', s: 'scoring', d: 'swing', z: 'zoom',
      }[event.key];
      if (event.key === '?') this.find('.how').open = !this.find('.how').open;
      if (!where) return;
      event.preventDefault();
      this.go(where);
    }

    x(at) {
      return CHART.left + (this.width - CHART.margin - CHART.left) * at / Math.max(1, this.last);
    }

    moveCursor() {
      if (!this.cursor) return;
      const x = this.x(this.at);
      this.cursor.setAttribute('x1', x);
      this.cursor.setAttribute('x2', x);
    }

    // One moves through the game by pointing at the chart.
    watchRace() {
      const chart = this.find('svg.race');
      if (!chart) return;
      const seek = event => {
        const box = chart.getBoundingClientRect(), x = (event.clientX - box.left) / box.width * this.width;
        const at = (x - CHART.left) / (this.width - CHART.margin - CHART.left);
        this.pause();
        this.visit(Math.round(at * this.last));
      };
      chart.addEventListener('pointerdown', event => { chart.setPointerCapture(event.pointerId); seek(event); });
      chart.addEventListener('pointermove', event => { if (event.buttons) seek(event); });
    }

    // The race to win: stages as bands, a line for each seat, battles as ticks below, and where one is.
    drawRace() {
      const chart = this.find('svg.race');
      if (!chart) return;
      chart.replaceChildren();
      // As wide as it is on the page, so that its letters are as large everywhere.
      this.width = Math.max(300, Math.round(chart.getBoundingClientRect().width) || 1200);
      chart.setAttribute('viewBox', `0 0 ${this.width} ${CHART.height}`);
      const { scores, chances, bands, fights, open } = this.data;
      const ofScores = scores.length && (!this.line || this.line.value === 'scores');
      const series = ofScores ? scores : chances;
      if (!series.length) return;
      const all = series.flat(), low = ofScores ? Math.min(0, ...all) : 0, high = ofScores ? Math.max(1, ...all) : 1000;
      const { top, bottom } = CHART, y = value => bottom - (bottom - top) * (value - low) / (high - low);
      bands.forEach(([from, name], i) => {
        const to = i + 1 < bands.length ? bands[i + 1][0] : this.last;
        const left = this.x(from), width = this.x(to) - left;
        if (i % 2 === 0) chart.append(node('rect', { class: 'band', x: left, y: top, width, height: bottom - top }));
        if (width > 30) chart.append(node('text', { class: 'tick', x: left + 3, y: top - 4 }, name));
      });
      for (const value of ofScores ? [low, high] : [0, 500, 1000]) {
        chart.append(node('line', { class: 'grid', x1: CHART.left, x2: this.width - CHART.margin, y1: y(value), y2: y(value) }));
        const text = ofScores ? `${value}` : `${value / 10} %`;
        chart.append(node('text', { class: 'tick', x: CHART.left - 5, y: y(value) + 4, 'text-anchor': 'end' }, text));
      }
      series[series.length - 1].forEach((_, seat) => {
        let path = '', before;
        series.forEach((values, at) => {
          const now = values[seat] ?? 0;
          if (now === before && at !== this.last) return;
          // Scores stay until they change.
          if (path && ofScores) path += `H${this.x(at).toFixed(1)}`;
          path += `${path ? 'L' : 'M'}${this.x(at).toFixed(1)} ${y(now).toFixed(1)}`;
          before = now;
        });
        chart.append(node('path', { class: `l${seat % 6}`, d: path }));
        chart.append(Pieces.shape(`${seat}`, this.x(this.last), y(series[series.length - 1][seat]), 4.5, { class: `f${seat % 6}` }));
      });
      for (const at of fights) {
        const x = this.x(at);
        chart.append(node('path', { class: 'battle', d: `M${x - 2.5} ${bottom + 4}l5 5m0-5l-5 5` }));
      }
      const x = this.x(open);
      chart.append(node('path', { class: 'turning', d: `M${x} ${bottom + 3}l3.5 7h-7z` }));
      this.cursor = node('line', { class: 'cursor', y1: top, y2: CHART.height - 6 });
      chart.append(this.cursor);
      if (this.at >= 0) this.moveCursor();
    }
  }

  const replays = [...document.querySelectorAll('.replay')].map((root, i) => [root, new Replay(root, i + 1)]);
  const open = replay => {
    if (replay.isReady) return;
    replay.load();
    replay.show(replay.data.open);
  };
  const seen = new IntersectionObserver(entries => {
    for (const entry of entries) {
      if (!entry.isIntersecting) continue;
      seen.unobserve(entry.target);
      open(replays.find(([root]) => root === entry.target)[1]);
    }
  }, { rootMargin: '200px' });
  // The first at once, the others when they come near.
  replays.forEach(([root, replay], i) => { if (i) seen.observe(root); else open(replay); });
  // A link to a moment: #game=3&ply=210.
  const follow = () => {
    const link = /^#game=(\d+)&ply=(\d+)$/.exec(location.hash);
    const found = link && replays[Number(link[1]) - 1];
    if (!found) return;
    found[1].isTouched = true;
    found[1].show(Number(link[2]));
    found[0].scrollIntoView();
  };
  follow();
  addEventListener('hashchange', follow);
  addEventListener('resize', () => replays.forEach(([, replay]) => { if (replay.isReady) replay.drawRace(); }));
  // On paper nobody can step: who has not chosen a place in a game sees how it ended.
  let returning = [];
  addEventListener('beforeprint', () => {
    returning = replays.map(([, replay]) => replay).filter(replay => !replay.isTouched);
    returning.forEach(replay => { replay.load(); replay.show(replay.last); });
  });
  addEventListener('afterprint', () => returning.forEach(replay => replay.show(replay.data.open)));
})();
