'use strict';
// Pieces on a board: how each looks, and where they stand so that none overlaps another, a name or the edge.
const Pieces = (() => {
  const SVG = 'http://www.w3.org/2000/svg';
  const FIELD = '\u001f', CHIP = '\u001e';
  const node = (name, attributes, text) => {
    const made = document.createElementNS(SVG, name);
    for (const key in attributes) made.setAttribute(key, attributes[key]);
    if (text !== undefined) made.textContent = text;
    return made;
  };

  // Symbols in a square of twelve units.
  const SYMBOLS = {
    i: 'M2.5 1h7v6c0 2-1.5 3.3-3.5 4.4C4 10.3 2.5 9 2.5 7z',
    c: 'M1.5 11.3c.2-3 .8-5.5 3-7.5L6 1l1.2 1.8c2 .8 3.3 2.3 4 4.2l-1.7 1.4-2.5-1.3c.2 1.6 1 2.8 1.3 4.2z',
    k: 'M.8 11.3 6 6.8l5.2 4.5zM2 2.2l1-1 5 5-1 1zM8.2 3.2a1.9 1.9 0 1 1 3.8 0 1.9 1.9 0 1 1-3.8 0z',
    g: 'M.6 7.3h10.8L9.3 11H2.8zM5.4 1v5.3H1.5zM6.5 2.2 10 6.3H6.5z',
    G: 'M6 .6l1.6 3.6 3.9.4-2.9 2.6.8 3.9L6 9.1l-3.4 2 .8-3.9L.5 4.6l3.9-.4z',
    C: 'M.8 10.8h10.4v-7L8.4 6.6 6 1.2 3.6 6.6.8 3.8z',
    L: 'M4.6.8h1.6v10.4H4.6zM6.8 1.6H11v4.6H6.8z',
    F: 'M.6 7.3h10.8L9.3 11H2.8zM5.4 1v5.3H1.5zM6.5 2.2 10 6.3H6.5z',
    H: 'M.8 10.8h10.4v-7L8.4 6.6 6 1.2 3.6 6.6.8 3.8z',
    u: 'M6 .8l4.8 2.5v5.4L6 11.2 1.2 8.7V3.3z',
    w: 'M1 11.2V3h2v1.7h1.7V3h2.6v1.7H9V3h2v8.2H7.5V8.5a1.5 1.5 0 0 0-3 0v2.7z',
    W: 'M.8 11.2V1h2v1.7h1.7V1h3v1.7h1.7V1h2v10.2H7.5V8.5a1.5 1.5 0 0 0-3 0v2.7zM3 4.2v1.6h1.5V4.2zM7.5 4.2v1.6H9V4.2z',
    P: 'M6 .6l5.2 2.9v1H.8v-1zM2 5.3h1.7v3.9H2zM5.150 5.3h1.7v3.9h-1.7zM8.3 5.3H10v3.9H8.3zM.8 9.9h10.4v1.4H.8z',
    r: 'M.5 8.5h5V4.3l1.7-1 1.3 2.7h2.5l.5 2.5-2 .3A1.9 1.9 0 1 1 5.9 9.4H.5z',
  };
  // The shape of a seat around the middle, in units of its radius.
  const SHAPES = [
    'M-1 0A1 1 0 1 1 1 0 1 1 0 1 1-1 0z', 'M-.9-.9H.9V.9H-.9z', 'M0-1.250 1.250 0 0 1.250-1.250 0z',
    'M-.55-.96H.55L1.1 0 .55.96H-.55L-1.1 0z', 'M0-1.2 1.2.85H-1.2z', 'M-.45-1H.45v.55H1V.45H.45V1H-.45V.45H-1V-.45H-.45z',
  ];
  const letter = seat => (seat === '-' ? 'n' : Number(seat) % 6);

  function shape(seat, x, y, radius, attributes) {
    const path = SHAPES[seat === '-' ? 0 : Number(seat) % 6];
    return node('path', { d: path, transform: `translate(${x} ${y}) scale(${radius})`, 'vector-effect': 'non-scaling-stroke', ...attributes });
  }

  // Units of a seat: its shape, then a symbol and a number for each kind.
  function units([seat, , text, title, side]) {
    const parts = text.split(' ').filter(part => part);
    const widths = parts.map(part => 12.5 + (part.length > 1 ? (part.length - 1) * 6.6 + 1 : 0));
    const width = 14 + widths.reduce((sum, width) => sum + width + 2, 0);
    const draw = (x, y) => {
      const chip = node('g', { class: `chip${side ? ` side${side}` : ''}`, transform: `translate(${x.toFixed(1)} ${y.toFixed(1)})` });
      chip.append(node('title', {}, title));
      chip.append(node('rect', { class: `f${letter(seat)}`, width, height: 16, rx: 3 }));
      chip.append(shape(seat, 7.5, 8, 4.4, { class: 'own' }));
      let at = 13.5;
      parts.forEach((part, i) => {
        const symbol = SYMBOLS[part[0]];
        if (symbol) chip.append(node('path', { class: 'symbol', d: symbol, transform: `translate(${at} 1.9) scale(1.02)` }));
        const count = symbol ? part.slice(1) : part;
        if (count) chip.append(node('text', { x: at + (symbol ? 13 : 0), y: 12.2 }, count));
        at += widths[i] + 2;
      });
      return chip;
    };
    return { width, height: 16, kind: 'u', draw };
  }

  // A token: the shape of its seat with a number in it.
  function token([seat, look, text, title, side]) {
    const isWide = text.length > 2, width = isWide ? text.length * 6.6 + 9 : 18;
    const draw = (x, y) => {
      const chip = node('g', { class: `chip${look === 's' ? ' sale' : ''}${side === '1' ? ' first' : ''}`, transform: `translate(${x.toFixed(1)} ${y.toFixed(1)})` });
      chip.append(node('title', {}, title));
      if (isWide) chip.append(node('rect', { class: `f${letter(seat)}`, width, height: 16, rx: 8 }));
      else chip.append(shape(seat, width / 2, 8, look === 's' ? 7.2 : 7.4, { class: `f${letter(seat)}` }));
      chip.append(node('text', { class: 'middle', x: width / 2, y: Number(seat) % 6 === 4 && !isWide ? 13.5 : 12.1 }, text));
      return chip;
    };
    return { width, height: 16, kind: 't', draw };
  }

  // Something built: a symbol in the colour of its seat.
  function built([seat, , text, title]) {
    const symbol = SYMBOLS[text];
    const width = symbol ? 16 : text.length * 6.6 + 8;
    const draw = (x, y) => {
      const chip = node('g', { class: 'chip', transform: `translate(${x.toFixed(1)} ${y.toFixed(1)})` });
      chip.append(node('title', {}, title));
      chip.append(node('rect', { class: `f${letter(seat)}`, width, height: 16 }));
      chip.append(symbol ? node('path', { class: 'symbol', d: symbol, transform: 'translate(2 2)' })
        : node('text', { class: 'middle', x: width / 2, y: 12.1 }, text));
      return chip;
    };
    return { width, height: 16, kind: 't', draw };
  }

  const ROW = 17.5, BETWEEN = 2;
  function items(code) {
    return code.split(CHIP).map(chip => chip.split(FIELD)).map(chip => (chip[1] === 'u' ? units : chip[1] === 'b' ? built : token)(chip));
  }

  // Pieces in rows that are no wider than `most`, units and others in rows of their own.
  function pack(all, most) {
    const rows = [];
    for (const item of all) {
      const row = rows[rows.length - 1];
      if (row && row.kind === item.kind && row.width + BETWEEN + item.width <= most) {
        row.width += BETWEEN + item.width;
        row.items.push(item);
      } else {
        rows.push({ kind: item.kind, width: item.width, items: [item] });
      }
    }
    const width = Math.max(...rows.map(row => row.width));
    return { rows, width, height: rows.length * ROW - 1.5 };
  }

  const box = (left, top, width, height) => ({ left, top, right: left + width, bottom: top + height });
  const overlap = (a, b, gap) => a.left < b.right + gap && b.left < a.right + gap && a.top < b.bottom + gap && b.top < a.bottom + gap;
  const read = text => {
    const [left, top, right, bottom] = text.split(' ').map(Number);
    return { left, top, right, bottom };
  };

  // The middle of the pieces in an area, or its own.
  const middle = ({ place, at }) => (place ? [(place.left + place.right) / 2, (place.top + place.bottom) / 2] : at);

  // The end of a way that comes to an area from a point: at the edge of its pieces.
  function edge(area, [x, y]) {
    const [atX, atY] = middle(area), { place } = area;
    const [wide, high] = place ? [(place.right - place.left) / 2 + 3, (place.bottom - place.top) / 2 + 3] : [4, 4];
    const part = Math.min(wide / Math.abs(x - atX), high / Math.abs(y - atY));
    return part < .8 ? [atX + (x - atX) * part, atY + (y - atY) * part] : [atX, atY];
  }

  class Board {
    constructor(svg) {
      const [, , width, height] = svg.getAttribute('viewBox').split(' ').map(Number);
      this.svg = svg;
      this.size = [width, height];
      // The zoom and the point in the middle of the view.
      this.scale = 1;
      this.middle = [width / 2, height / 2];
      this.frame = { left: 2, top: 2, right: width - 2, bottom: height - 2 };
      this.leaders = svg.querySelector('.leaders');
      // Below the names and the pieces, and above them.
      this.ways = svg.querySelector('.ways');
      this.marks = svg.querySelector('.marks');
      this.areas = [...svg.querySelectorAll('[data-area]')].map(group => ({
        group,
        at: group.dataset.at.split(' ').map(Number),
        slot: read(group.dataset.slot),
        label: group.dataset.label ? read(group.dataset.label) : null,
        code: '',
      }));
      this.labels = this.areas.map(area => area.label).filter(label => label);
      // Where letters are wider than was thought, a name has more than its box.
      svg.querySelectorAll('.name').forEach((name, i) => {
        const { x, y, width, height } = name.getBBox(), label = this.labels[i];
        if (width) Object.assign(label, { left: Math.min(label.left, x), top: Math.min(label.top, y), right: Math.max(label.right, x + width), bottom: Math.max(label.bottom, y + height) });
      });
      // Places around a slot, nearest first.
      this.ring = [[0, 0]];
      for (let radius = 7; radius < 420; radius += 7) {
        const n = Math.max(8, Math.round(radius / 3));
        for (let i = 0; i < n; i++) {
          const angle = 2 * Math.PI * i / n;
          this.ring.push([radius * Math.cos(angle), radius * Math.sin(angle) * .8]);
        }
      }
    }

    set(area, code) {
      this.areas[area].code = code;
      this.isDirty = true;
    }

    draw() {
      if (!this.isDirty) return;
      this.isDirty = false;
      const due = [];
      const taken = [...this.labels];
      for (const area of this.areas) {
        area.group.replaceChildren();
        area.place = null;
        if (!area.code) continue;
        const all = items(area.code), slot = area.slot;
        const width = slot.right - slot.left;
        const forms = [...new Set([width, 60, 84, 108, 150])].map(most => pack(all, most)).sort((a, b) => a.width * a.height - b.width * b.height || a.width - b.width);
        const form = forms.find(form => form.width <= width + .1 && form.height <= slot.bottom - slot.top + .1);
        const at = form && box((slot.left + slot.right - form.width) / 2, slot.top, form.width, form.height);
        if (at && !taken.some(other => other !== area.label && overlap(at, other, 0))) {
          taken.push(at);
          this.put(area, form, at);
        } else {
          due.push([area, forms]);
        }
      }
      for (const [area, forms] of due) {
        const found = this.search(area, forms, taken);
        if (!found) continue;
        taken.push(found.at);
        this.put(area, found.form, found.at);
      }
      this.lead();
    }

    // The nearest free place for pieces that do not fit into their slot.
    search(area, forms, taken) {
      const { frame } = this, middle = (area.slot.left + area.slot.right) / 2;
      for (const gap of [1.5, 0]) {
        for (const [dx, dy] of this.ring) {
          for (const form of forms) {
            const y = area.slot.top + dy - (dy < 0 ? form.height - (area.slot.bottom - area.slot.top) : 0);
            const at = box(middle + dx - form.width / 2, y, form.width, form.height);
            if (at.left < frame.left || at.right > frame.right || at.top < frame.top || at.bottom > frame.bottom) continue;
            if (!taken.some(other => overlap(at, other, gap))) return { form, at };
          }
        }
      }
      return null;
    }

    put(area, form, at) {
      area.place = at;
      let y = at.top;
      for (const row of form.rows) {
        let x = (at.left + at.right - row.width) / 2;
        for (const item of row.items) {
          area.group.append(item.draw(x, y));
          x += item.width + BETWEEN;
        }
        y += ROW;
      }
    }

    // Lines from pieces that stand beside their area to its middle.
    lead() {
      this.leaders.replaceChildren();
      for (const { place, at: [x, y] } of this.areas) {
        if (!place) continue;
        const toX = Math.max(place.left, Math.min(x, place.right)), toY = Math.max(place.top, Math.min(y, place.bottom));
        if (Math.hypot(x - toX, y - toY) < 26) continue;
        this.leaders.append(node('line', { x1: x, y1: y, x2: toX, y2: toY }), node('circle', { cx: x, cy: y, r: 2.2 }));
      }
    }

    // Looks at a point from near, or at the whole board.
    look(scale, middle) {
      this.scale = scale;
      this.middle = middle || this.middle;
      const seen = this.size.map(size => size / scale);
      const from = this.middle.map((at, i) => Math.max(0, Math.min(this.size[i] - seen[i], at - seen[i] / 2)));
      this.middle = from.map((at, i) => at + seen[i] / 2);
      this.svg.setAttribute('viewBox', [...from, ...seen].map(x => x.toFixed(1)).join(' '));
    }

    // The spot of an event in an area: its pieces, or its middle.
    spot(area) {
      return middle(this.areas[area]);
    }

    // Marks of what has just happened: `march`, `fight`, `gain` and `loss`.
    mark(code) {
      this.ways.replaceChildren();
      this.marks.replaceChildren();
      if (!code) return;
      const taken = [...this.labels, ...this.areas.map(({ place }) => place).filter(place => place)];
      const places = code.split(CHIP).map(mark => this.spot(mark.split(FIELD)[2]));
      if (this.scale > 1) this.look(this.scale, [0, 1].map(axis => places.reduce((sum, at) => sum + at[axis], 0) / places.length));
      for (const [kind, seat, from, to, text] of code.split(CHIP).map(mark => mark.split(FIELD))) {
        if (kind === 'march') this.march(seat, [from, to].map(area => this.areas[area]), text, taken);
        else if (kind === 'fight') this.fight(this.spot(from), text);
        else this.pulse(kind, seat, this.areas[from]);
      }
    }

    // An arrow, with the pieces that moved beside its middle, where they cover nothing of what is taken.
    march(seat, ends, pieces, taken) {
      const [[ax, ay], [bx, by]] = ends.map(middle);
      const far = Math.hypot(bx - ax, by - ay) || 1;
      const bend = Math.min(40, far * .25);
      const mx = (ax + bx) / 2 + (by - ay) / far * bend, my = (ay + by) / 2 - (bx - ax) / far * bend;
      const [[x1, y1], [x2, y2]] = ends.map(end => edge(end, [mx, my]));
      const angle = Math.atan2(y2 - my, x2 - mx), head = (side, back) =>
        `${(x2 - back * Math.cos(angle) - side * Math.sin(angle)).toFixed(1)} ${(y2 - back * Math.sin(angle) + side * Math.cos(angle)).toFixed(1)}`;
      const tail = `M${x1.toFixed(1)} ${y1.toFixed(1)}Q${mx.toFixed(1)} ${my.toFixed(1)} ${head(0, 8)}`;
      this.ways.append(node('path', { class: 'march halo', d: tail }), node('path', { class: `march k${letter(seat)}`, d: tail }),
        node('path', { class: `f${letter(seat)} tip`, d: `M${x2.toFixed(1)} ${y2.toFixed(1)}L${head(7, 13)}L${head(-7, 13)}Z` }));
      if (!pieces) return;
      const { width, height, draw } = units([seat, '', pieces, '']), { frame } = this;
      const x = (x1 + 2 * mx + x2) / 4, y = (y1 + 2 * my + y2) / 4;
      for (const [dx, dy] of this.ring) {
        const at = box(x + dx - width / 2, y + dy - height / 2, width, height);
        if (at.left < frame.left || at.right > frame.right || at.top < frame.top || at.bottom > frame.bottom) continue;
        if (taken.some(other => overlap(at, other, 2))) continue;
        taken.push(at);
        if (Math.hypot(dx, dy) > 12) this.ways.append(node('line', { class: `tie k${letter(seat)}`, x1: x, y1: y, x2: x + dx, y2: y + dy }));
        this.marks.append(draw(at.left, at.top));
        return;
      }
    }

    fight([x, y], text) {
      let burst = '';
      for (let i = 0; i < 24; i++) {
        const radius = i % 2 ? 22 : 34, angle = Math.PI * i / 12;
        burst += `${i ? 'L' : 'M'}${(x + radius * Math.cos(angle)).toFixed(1)} ${(y + radius * .75 * Math.sin(angle)).toFixed(1)}`;
      }
      this.ways.append(node('path', { class: 'burst', d: `${burst}Z` }));
      const lines = text ? text.split('\n') : [];
      if (!lines.length) return;
      const width = Math.max(...lines.map(line => line.length)) * 6.3 + 14, height = lines.length * 13.5 + 7;
      const left = Math.max(4, Math.min(x - width / 2, this.frame.right - width - 2));
      const top = y - 34 - height > 4 ? y - 32 - height : y + 32;
      const card = node('g', { class: 'odds' });
      card.append(node('rect', { x: left, y: top, width, height, rx: 4 }));
      lines.forEach((line, i) => card.append(node('text', { x: left + 7, y: top + 14 + 13.5 * i }, line)));
      this.marks.append(card);
    }

    pulse(kind, seat, { place, at }) {
      const around = place || box(at[0] - 12, at[1] - 9, 24, 18);
      this.ways.append(node('rect', {
        class: `pulse ${kind} k${letter(seat)}`, x: around.left - 4, y: around.top - 4,
        width: around.right - around.left + 8, height: around.bottom - around.top + 8, rx: 6,
      }));
    }
  }

  // A chip as a picture of its own.
  function figure(code) {
    const [{ width, draw }] = items(code);
    const svg = node('svg', { class: 'figure', width: width + 2, height: 18, viewBox: `-1 -1 ${width + 2} 18` });
    svg.append(draw(0, 0));
    return svg;
  }

  // The shape of a seat as a picture.
  function emblem(seat) {
    const svg = node('svg', { class: 'seat-shape', viewBox: '-1.4 -1.4 2.8 2.8', 'aria-hidden': true });
    svg.append(shape(seat, 0, 0, 1, { class: `f${letter(seat)}` }));
    return svg;
  }

  // The symbol of a piece as a picture.
  function symbol(letter) {
    const svg = node('svg', { class: 'symbol', width: 15, height: 15, viewBox: '0 0 12 12', 'aria-hidden': true });
    svg.append(node('path', { d: SYMBOLS[letter] || '' }));
    return svg;
  }

  // A die that shows a face: the symbol of a piece, or nothing.
  const FACES = { infantry: 'i', cavalry: 'c', catapult: 'k', galley: 'g' };
  function die(face) {
    const svg = node('svg', { class: 'die', width: 20, height: 20, viewBox: '-4 -4 20 20' });
    svg.append(node('title', {}, face), node('rect', { x: -3.2, y: -3.2, width: 18.4, height: 18.4, rx: 3.5 }));
    const path = SYMBOLS[FACES[face]];
    svg.append(path ? node('path', { d: path }) : node('path', { class: 'blank', d: 'M3 6h6' }));
    return svg;
  }

  return { Board, node, shape, figure, emblem, symbol, die };
})();
