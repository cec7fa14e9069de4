// The page at which a person plays. It shows the moments that the server sends and sends back words; it knows no game.
(() => {
  const token = location.hash.slice(1);
  const at = id => document.getElementById(id);
  const make = (name, properties = {}, ...inside) => {
    const { data = {}, ...others } = properties;
    const made = Object.assign(document.createElement(name), others);
    Object.assign(made.dataset, data);
    made.append(...inside);
    return made;
  };
  const live = text => { at('live').textContent = text; };
  let moment = null, board = null, areas = [], marks = '', isBusy = false;
  // The moment whose successor is due, the areas that were clicked, the length of the draft at which they hold, and
  // the amounts of a form that are still to be sent.
  let answered = null, picked = [], stuckAt = null, plan = null;
  // The words of the option that is taken again until the contest is over.
  let repeated = null;
  // The lines of the log, each with the pieces on the board after it, and the line whose board is shown instead of that
  // of the moment.
  let lines = [], past = null;

  // ---- The server.

  async function stream() {
    for (let pause = 300; ; pause = Math.min(5000, pause * 2)) {
      try {
        const answer = await fetch('/events', { headers: { 'Caesar-Token': token } });
        if (answer.status === 403) return say('This address is not one of this table. Use the address that the command printed.', true);
        if (!answer.ok) throw new Error(answer.statusText);
        pause = 300;
        at('log').firstElementChild.replaceChildren();
        lines = [];
        const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
        for (let text = ''; ;) {
          const { value, done } = await reader.read();
          if (done) break;
          const lines = (text + value).split('\n');
          text = lines.pop();
          for (const line of lines) if (line.startsWith('data:')) show(JSON.parse(line.slice(5)));
          if (moment && moment.state === 'taken') return undefined;
        }
      } catch (fault) {
        if (!(fault instanceof TypeError) && !(fault instanceof DOMException)) throw fault;
      }
      if (moment && moment.state === 'over') return undefined;
      say('The connection is lost. Trying again …', true);
      await new Promise(done => setTimeout(done, pause));
    }
  }

  async function post(path, body) {
    if (!moment || isBusy || moment.moment === answered) return null;
    const { moment: sent, page } = moment;
    isBusy = true;
    document.body.classList.add('busy');
    try {
      const answer = await fetch(path, {
        method: 'POST', headers: { 'Caesar-Token': token, 'Content-Type': 'application/json' },
        body: JSON.stringify({ moment: sent, page, ...body }),
      });
      const text = await answer.text(), json = text ? JSON.parse(text) : {};
      if (answer.ok) {
        if (path !== '/hint' && path !== '/odds') answered = sent;
        return json;
      }
      plan = null;
      say(json.error || answer.statusText, true);
    } catch {
      plan = null;
      say('The server does not answer. The game waits.', true);
    } finally {
      isBusy = false;
      document.body.classList.remove('busy');
      goOn();
    }
    return null;
  }

  const play = words => { say(''); if (past !== null) lookBack(lines.length); return post('/words', { words }); };

  // ---- What is shown.

  function answer(isBad, ...lines) {
    const box = at('answer');
    box.className = isBad ? 'bad' : '';
    box.replaceChildren(...lines);
    // Long answers scroll, also by keys.
    if (lines.length) box.setAttribute('tabindex', '0');
    else box.removeAttribute('tabindex');
  }

  const say = (text, isBad = false) => answer(isBad, ...(text ? [make('p', {}, text)] : []));

  const name = seat => moment.names[seat - 1] || `seat ${seat}`;

  function show(next) {
    const isNew = !moment || moment.moment !== next.moment || moment.state !== next.state;
    const last = moment;
    if (next.state === 'asks' && !(last && last.state === 'asks')) past = null;
    moment = next;
    if (next.state === 'taken') {
      at('question').textContent = 'Another window shows this seat now';
      at('options').replaceChildren();
      return;
    }
    document.title = `${next.state === 'asks' ? '● ' : ''}${name(next.seat)} – Caesar`;
    const turn = { asks: name(next.seat) === 'you' ? 'It is your turn' : `${name(next.seat)}, it is your turn`, waits: next.for ? `${name(next.for)} is choosing …` : 'The others are choosing …', over: 'The game is over' }[next.state];
    at('turn').textContent = turn;
    at('decision').classList.toggle('own', next.state === 'asks');
    at('sentence').replaceChildren(...(next.menu ? next.menu.so_far : next.draft).map(text => make('li', {}, text)));
    if (next.board !== undefined) drawBoard(next.board);
    drawPieces(next);
    if (!last || last.panel !== next.panel || JSON.stringify(last.rolls) !== JSON.stringify(next.rolls)) {
      at('seats').innerHTML = next.panel;
      contest(next);
      const wasOpen = at('displays').querySelector('details[open]');
      at('displays').replaceChildren(...at('seats').querySelectorAll('.displays'));
      const notes = at('displays').querySelector('details');
      if (wasOpen && notes) notes.open = true;
    }
    if (next.log.length) {
      const list = at('log').firstElementChild;
      for (const old of list.querySelectorAll('.new')) old.classList.remove('new');
      list.append(...next.log.map(logged));
      timeline();
      at('log').scrollTop = at('log').scrollHeight;
    }
    at('find').hidden = true;
    if (isNew) at('find').lastElementChild.value = '';
    const hadFocus = at('options').contains(document.activeElement);
    at('question').textContent = next.state === 'asks' ? next.menu.question : next.state === 'over' ? 'Result' : 'Please wait';
    if (next.state === 'over') result(next);
    else if (next.state === 'asks') drawOptions();
    else at('options').replaceChildren();
    if (next.state !== 'asks') { at('picked').hidden = true; pick([]); }
    buttons();
    const first = at('options').querySelector('input, button');
    if (hadFocus) (first || at('decision')).focus();
    const asksAnew = next.state === 'asks' && !(last && last.state === 'asks');
    live([...next.log.slice(-3).map(({ text }) => text), asksAnew || next.state !== 'asks' ? turn : '', next.state === 'asks' ? next.menu.question : ''].filter(part => part).join('. '));
    Object.assign(document.body.dataset, { moment: next.moment, state: next.state });
    goOn();
  }

  // A line of the log: a heading, or a sentence with the shape of its seat. A click shows the board after it.
  function logged({ level, seat, text, pieces }) {
    const number = lines.length, before = number ? lines[number - 1].pieces : [];
    lines.push({ level, seat, text, pieces: pieces ? Object.assign([...before], pieces) : before });
    const line = make('li', { className: `new ${level}`, onclick: () => lookBack(number) });
    if (seat && level !== 'part') line.append(Pieces.emblem(seat - 1));
    line.append(text);
    return line;
  }

  // The contest under way stands above the options, with its pieces and dice.
  function contest({ rolls = [] }) {
    at('standing').replaceChildren(...at('seats').querySelectorAll('.standing'));
    for (const cell of at('standing').querySelectorAll('[data-pieces]')) {
      const picture = Pieces.figure(cell.dataset.pieces.replaceAll('\t', '\u001f'));
      cell.replaceChildren(picture, make('span', { className: 'unseen' }, cell.textContent));
    }
    for (const cell of at('standing').querySelectorAll('[data-dice]')) {
      const roll = rolls.find(({ who }) => who === cell.dataset.dice);
      if (roll) cell.append(...roll.faces.map(Pieces.die));
    }
    if (!at('standing').children.length) repeated = null;
  }

  function buttons() {
    const isOwn = moment.state === 'asks', isForm = !!at('options').querySelector('.form');
    const can = { done: isOwn && moment.may_finish, undo: isOwn && moment.may_undo, restart: isOwn && moment.may_undo && moment.draft.length > 1, hint: isOwn && moment.may_hint !== false, odds: isOwn && moment.may_odds };
    for (const button of at('buttons').children) {
      button.disabled = !can[button.dataset.do];
      button.hidden = moment.state === 'over' || (button.dataset.do === 'done' && isForm) || (button.dataset.do === 'odds' && !moment.may_odds) || (button.dataset.do === 'hint' && moment.may_hint === false);
    }
  }

  function result({ result, record, replay }) {
    const lines = result ? result.lines.map(line => make('p', {}, line)) : [];
    // It has no buttons, and scrolls by keys.
    at('options').setAttribute('tabindex', '0');
    at('options').replaceChildren(...lines, ...(record ? [make('p', {}, 'Record: ', make('code', {}, record))] : []),
      ...(replay ? [make('p', {}, 'A replay in which a search judges each choice: ', make('code', {}, replay))] : []));
  }

  // ---- The board.

  // The board comes with the first moment of a stream; the pieces that change come with each.
  function drawBoard(svg) {
    const old = board;
    at('picture').innerHTML = svg;
    const drawn = at('picture').querySelector('svg');
    [board, areas, marks] = [null, [], ''];
    if (!drawn) return;
    drawn.setAttribute('role', 'group');
    drawn.setAttribute('preserveAspectRatio', 'xMidYMin');
    board = new Pieces.Board(drawn);
    const shapes = [...drawn.querySelectorAll('.area')];
    areas = [...drawn.querySelectorAll('[data-area]')].map(({ dataset: { id, name, note } }, i) => {
      shapes[i].querySelector('title').remove();
      shapes[i].dataset.at = i;
      return { id, name, note, shape: shapes[i], pieces: '', drawn: '' };
    });
    if (old && old.scale > 1) board.look(old.scale, old.middle);
  }

  // Marks rounds, great events and the moves of this seat on the time line.
  function timeline() {
    const most = lines.length - 1, range = at('when').querySelector('input');
    at('when').hidden = !board || most < 1;
    range.max = most;
    if (past === null) range.value = most;
    const marks = lines.flatMap(({ level, seat, text }, i) => {
      const kind = level === 'stage' || level === 'round' ? 'round' : seat === moment.seat && level !== 'part' ? 'mine' : level === 'main' ? 'main' : '';
      if (!kind) return [];
      const mark = make('span', { className: kind, title: text });
      mark.style.left = `${100 * i / Math.max(1, most)}%`;
      return [mark];
    });
    at('when').querySelector('.marks').replaceChildren(...marks);
  }

  // Shows the board after a line of the log; after the last one, that of the moment.
  function lookBack(i) {
    if (!board || !moment) return;
    past = i >= lines.length - 1 ? null : i;
    const range = at('when').querySelector('input'), text = past === null ? '' : lines[past].text;
    range.value = i;
    range.setAttribute('aria-valuetext', text || 'now');
    at('when').querySelector('output').textContent = text;
    at('when').classList.toggle('past', past !== null);
    [...at('log').firstElementChild.children].forEach((line, j) => line.classList.toggle('seen', j === past));
    place(past === null ? moment.pieces : lines[past].pieces);
    board.mark(past === null ? marks : '');
  }

  // Puts pieces on the board, as codes by area.
  function place(codes) {
    areas.forEach((area, i) => { if (area.drawn !== (codes[i] || '')) board.set(i, area.drawn = codes[i] || ''); });
    board.draw();
  }

  function drawPieces({ pieces, happened, marches = [] }) {
    if (!board) return;
    const isNew = areas.some((area, i) => area.pieces !== pieces[i]);
    areas.forEach((area, i) => { area.pieces = pieces[i]; });
    if (past === null) place(pieces);
    const marked = areas.flatMap((area, i) => (happened.includes(area.id) ? [`gain\u001f-\u001f${i}`] : []));
    const code = [...marked, ...marches].join('\u001e');
    // Marks that stay do not flash again.
    if (!isNew && code === marks) return;
    marks = code;
    if (past === null) board.mark(marks);
  }

  // The chips in an area: lists of seat, look, text and title.
  const chips = ({ pieces }) => (pieces ? pieces.split('\u001e').map(chip => chip.split('\u001f')) : []);

  // ---- The options.

  const all = () => (moment.state === 'asks' ? moment.menu.groups.flatMap(group => group.options) : []);
  const wordsOf = text => text.toLowerCase().split(/[\s,.-]+/);
  const fits = (option, typed) => {
    const words = wordsOf(`${option.label} ${option.words.join(' ')}`);
    return wordsOf(typed).every(part => words.some(word => word.startsWith(part)));
  };
  const has = (option, ...wanted) => wanted.every(area => option.areas.includes(area));

  function drawOptions() {
    const { menu } = moment, typed = at('find').lastElementChild.value.trim();
    const isShown = option => has(option, ...picked) && (!typed || fits(option, typed));
    if (!all().some(option => has(option, ...picked))) picked = [];
    const groups = menu.groups.map(group => ({ ...group, options: group.options.filter(isShown) })).filter(group => group.options.length);
    let digit = 0;
    const made = groups.map(group => {
      const box = make('div', { className: 'group' });
      if (group.name && groups.length > 1) box.append(make('h2', {}, group.name));
      for (const option of group.options) box.append(option.count ? form(option, menu) : button(option, digit < 9 ? ++digit : 0));
      return box;
    });
    if (menu.repeat && made.length) {
      const { words, label } = menu.repeat;
      made[made.length - 1].append(make('button', { type: 'button', className: 'repeat', onclick: () => { repeated = words.join(' '); play(words); } }, label));
    }
    at('options').replaceChildren(...made, ...(groups.length ? [] : [make('p', { className: 'soft' }, 'No option has these letters.')]));
    at('find').hidden = all().length < 8;
    const places = areas.filter(area => picked.includes(area.id)).map(area => area.name);
    at('picked').hidden = !places.length;
    if (places.length) at('picked').replaceChildren(`Only ${places.join(', ')} `, make('button', { type: 'button', onclick: () => pick([]) }, 'show all'));
    drawAreas();
  }

  // The areas that options concern stand out; without a question none does.
  function drawAreas() {
    const can = new Set(all().filter(option => has(option, ...picked)).flatMap(option => option.areas));
    const svg = at('picture').firstElementChild;
    if (svg) svg.classList.toggle('asks', can.size > 0);
    for (const area of areas) {
      const { id, name, note, shape } = area, isOpen = can.has(id);
      shape.classList.toggle('can', isOpen);
      shape.classList.toggle('picked', picked.includes(id));
      const what = [...new Set(chips(area).map(([, , , title]) => title))];
      shape.setAttribute('aria-label', [name, note, ...what].filter(part => part).join(', '));
      shape.setAttribute('role', isOpen ? 'button' : 'img');
      if (isOpen) shape.setAttribute('tabindex', '0');
      else shape.removeAttribute('tabindex');
    }
  }

  function button(option, digit) {
    const made = make('button', { type: 'button', onclick: () => choose(option) });
    if (digit) made.append(make('span', { className: 'digit', ariaHidden: 'true' }, digit));
    made.append(option.label);
    if (option.card) {
      made.classList.add('card');
      made.append(make('span', { className: 'text' }, option.card));
    }
    const near = is => () => { for (const area of areas) area.shape.classList.toggle('near', is && has(option, area.id)); };
    Object.assign(made, { onmouseenter: near(true), onmouseleave: near(false), onfocus: near(true), onblur: near(false) });
    return made;
  }

  const nearest = (values, wish) => values.reduce((best, value) => (Math.abs(value - wish) < Math.abs(best - wish) ? value : best));

  // Steppers for an amount, and for those that follow it.
  function form(option, { form: amounts, may_only: mayOnly, closing }) {
    const { count } = option, box = make('div', { className: 'form' });
    const fields = amounts.length ? amounts.map(({ high, ...others }, i) => ({ ...others, values: i ? [...Array(high + 1).keys()] : count.values }))
      : [{ ...count, of: count.of || option.label }];
    // Plays the amounts, or one of them and no others.
    const go = (which, isClosed) => {
      const all = chosen.map(({ of, value }, i) => [of, which === null || which === i ? value() : 0]);
      const [[, first]] = all.splice(0, 1);
      plan = { amounts: Object.fromEntries(all), rest: which === null ? null : 0, closing: isClosed ? closing : null, drafted: moment.draft.length };
      play(complete(option, nearest(count.values, first)));
    };
    // Amounts of one sum make up for a change, the last first.
    const share = i => {
      const { sum } = fields[i];
      const own = sum ? chosen.filter((_, j) => fields[j].sum && fields[j].sum.of === sum.of) : [];
      let over = own.reduce((all, { value }) => all + value(), sum ? -sum.is : 0);
      for (const other of own.reverse()) if (over && other !== chosen[i]) over -= other.give(over);
    };
    const chosen = fields.map(({ of, values, preset, symbol, purse }, i) => {
      let place = Math.max(0, values.indexOf(preset));
      const output = make('output', {}, values[place]);
      const range = make('input', { type: 'range', min: 0, max: values.length - 1, value: place, ariaLabel: of });
      // A click on the pieces counts one more.
      const most = values[values.length - 1], rest = make('span', { className: 'soft wide' });
      const pieces = make('button', { type: 'button', className: 'pieces wide', ariaLabel: `one more ${of}`, onclick: () => change(place + 1) });
      if (symbol) pieces.append(...Array.from({ length: most }, () => Pieces.symbol(symbol)));
      const set = next => {
        place = Math.max(0, Math.min(values.length - 1, next));
        output.textContent = values[place];
        range.value = place;
        range.setAttribute('aria-valuetext', `${values[place]} ${of}`);
        rest.textContent = `leaves you ${purse - values[place]} of ${purse}`;
        [...pieces.children].forEach((piece, j) => piece.classList.toggle('chosen', j < values[place]));
      };
      const change = next => { set(next); share(i); };
      range.oninput = () => change(Number(range.value));
      set(place);
      const step = (by, sign) => make('button', { type: 'button', ariaLabel: `${sign} ${of}`, onclick: () => change(place + by) }, by < 0 ? '−' : '+');
      box.append(make('span', { className: 'of' }, of), make('span', { className: 'steps' }, step(-1, 'less'), output, step(1, 'more')), range, make('span', { className: 'soft' }, `of ${most} `));
      if (mayOnly) box.lastElementChild.append(make('button', { type: 'button', className: 'only', title: `These ${of}, and nothing else`, ariaLabel: `only ${of}`, onclick: () => go(i, true) }, 'only'));
      if (symbol) box.append(pieces);
      if (purse != null) box.append(rest);
      return { of, value: () => values[place], give: by => { const before = place; set(place - by); return before - place; } };
    });
    box.append(make('button', { type: 'button', className: 'play-it', onclick: () => go(null, true) }, 'OK ', make('kbd', {}, '⏎')));
    if (closing) box.append(make('button', { type: 'button', className: 'play-it', onclick: () => go(null, false) }, 'OK, and more to another place'));
    return box;
  }

  const complete = (option, value) => option.words.map((word, i) => (i === option.words.length - 1 ? `${word} ${value}` : word));

  function choose(option) {
    if (option.count) at('options').querySelector('.form input').focus();
    else {
      if (picked.length) stuckAt = moment.draft.length;
      play(option.words);
    }
  }

  // Answers that follow from an earlier gesture: the amounts of a form, and the area that was clicked.
  function goOn() {
    if (isBusy || !moment || moment.moment === answered || moment.state !== 'asks') return;
    const options = all();
    if (plan && moment.draft.length !== plan.drafted + 1) plan = null;
    if (plan) {
      const [only] = options, { amounts, rest, closing } = plan;
      const count = options.length === 1 && only.count;
      const wish = count ? amounts[count.of] ?? rest : null;
      if (wish !== null) {
        delete amounts[count.of];
        plan.drafted = moment.draft.length;
        play(complete(only, nearest(count.values, wish)));
        return;
      }
      plan = null;
      if (options.some(option => option.words.length === 1 && option.words[0] === closing)) {
        play([closing]);
        return;
      }
    }
    if (repeated && moment.menu.repeat && moment.menu.repeat.words.join(' ') === repeated) {
      play(moment.menu.repeat.words);
      return;
    }
    if (stuckAt === null) return;
    const isNext = moment.draft.length === stuckAt + 1, wanted = picked;
    [stuckAt, picked] = [null, []];
    const [only, ...others] = isNext ? options.filter(option => has(option, ...wanted)) : [];
    if (only && !others.length && !only.count) play(only.words);
    else if (others.length) pick(wanted);
    else drawOptions();
  }

  function pick(ids) {
    [picked, stuckAt] = [ids, null];
    if (moment.state === 'asks') drawOptions(); else drawAreas();
  }

  function clicked({ id, name }) {
    if (moment.state !== 'asks' || moment.moment === answered) return;
    const wanted = all().some(option => has(option, ...picked, id)) ? [...picked, id] : [id];
    const [first, ...others] = all().filter(option => has(option, ...wanted));
    if (!first) say(`${name}: no option here now.`);
    else if (others.length || first.count) pick(wanted);
    else {
      picked = wanted;
      choose(first);
    }
  }

  // ---- Input.

  const areaOf = target => { const shape = target.closest && target.closest('.area'); return shape ? areas[shape.dataset.at] : null; };
  let from = null, line = null, tip = null;
  const point = ({ clientX, clientY }) => new DOMPoint(clientX, clientY).matrixTransform(board.svg.getScreenCTM().inverse());

  at('picture').addEventListener('pointerdown', event => {
    if (!board || event.button) return;
    from = { area: areaOf(event.target), x: event.clientX, y: event.clientY, middle: [...board.middle] };
    from.drag = from.area && moment.state === 'asks' && moment.menu.drags.find(drag => drag.from.includes(from.area.id));
  });
  at('picture').addEventListener('pointermove', event => {
    tell(event);
    if (!from || Math.hypot(event.clientX - from.x, event.clientY - from.y) < 6) return;
    from.isMoved = true;
    if (from.drag) {
      const [a, b] = [point({ clientX: from.x, clientY: from.y }), point(event)];
      if (!line) board.svg.append(line = Pieces.node('line', { class: 'drag' }));
      Object.entries({ x1: a.x, y1: a.y, x2: b.x, y2: b.y }).forEach(([key, value]) => line.setAttribute(key, value));
    } else if (board.scale > 1) {
      const [, , width] = board.svg.getAttribute('viewBox').split(' ').map(Number);
      const unit = width / board.svg.getBoundingClientRect().width;
      board.look(board.scale, [from.middle[0] - (event.clientX - from.x) * unit, from.middle[1] - (event.clientY - from.y) * unit]);
    }
  });
  addEventListener('pointerup', event => {
    const start = from;
    from = null;
    if (line) line.remove();
    line = null;
    if (!start || !board) return;
    const target = document.elementFromPoint(event.clientX, event.clientY), end = target && areaOf(target);
    if (!start.isMoved) {
      if (end) clicked(end);
    } else if (start.drag && end && end !== start.area) {
      play(start.drag.words.map(word => word.replace('{from}', start.area.id).replace('{to}', end.id)));
    }
  });
  at('picture').addEventListener('wheel', event => {
    if (!board) return;
    event.preventDefault();
    const { x, y } = point(event);
    board.look(Math.max(1, Math.min(6, board.scale * (event.deltaY < 0 ? 1.25 : 0.8))), [x, y]);
  }, { passive: false });
  at('view').onclick = ({ target: { dataset: { zoom } } }) => { if (board && zoom) board.look(Number(zoom) ? Math.min(6, board.scale * zoom) : 1); };

  // Why an area can be clicked or not, under the pointer and at the focus.
  function tell(event) {
    const area = areaOf(event.target);
    if (!area || !moment) { if (tip) tip.remove(); tip = null; return; }
    const text = area.shape.getAttribute('aria-label') || area.name;
    const options = all().filter(option => has(option, area.id));
    const what = moment.state !== 'asks' ? '' : options.length ? ` → ${options.slice(0, 3).map(option => option.label).join(', ')}${options.length > 3 ? ', …' : ''}` : ' (no option here now)';
    if (!tip) document.body.append(tip = make('div', { id: 'tip', ariaHidden: 'true' }));
    tip.textContent = text + what;
    const { left, bottom } = event.clientX ? { left: event.clientX + 12, bottom: event.clientY + 14 } : area.shape.getBoundingClientRect();
    tip.style.left = `${Math.min(left, innerWidth - tip.offsetWidth - 8)}px`;
    tip.style.top = `${Math.min(bottom, innerHeight - tip.offsetHeight - 8)}px`;
  }
  at('picture').addEventListener('focusin', tell);
  for (const gone of ['pointerleave', 'focusout']) at('picture').addEventListener(gone, () => { if (tip) tip.remove(); tip = null; });

  at('when').querySelector('input').oninput = ({ target: { value } }) => lookBack(Number(value));
  at('when').querySelector('button').onclick = () => lookBack(lines.length);

  const acts = {
    done: () => post('/done', {}),
    undo: () => { repeated = null; post('/undo', { all: false }); },
    restart: () => { repeated = null; post('/undo', { all: true }); },
    async hint() {
      say('Thinking …');
      const hint = await post('/hint', {});
      if (!hint) return;
      const rows = (hint.options || []).map(({ label, visits, value, chosen }) => {
        const row = make('tr', { className: chosen ? 'chosen' : '' });
        row.append(make('td', {}, label), make('td', {}, `${visits} visits`), make('td', {}, `${(100 * value).toFixed(0)} %`));
        return row;
      });
      answer(false, make('p', {}, `Hint: ${hint.chosen}`), ...(rows.length ? [make('table', {}, make('tbody', {}, ...rows))] : []));
    },
    async odds() {
      const odds = await post('/odds', {});
      if (odds) answer(false, ...odds.lines.map(line => make('p', {}, line)));
    },
  };
  const act = name => { const button = at('buttons').querySelector(`[data-do=${name}]`); if (!button.disabled && !button.hidden) acts[name](); };
  at('buttons').onclick = ({ target }) => { const button = target.closest('button'); if (button) act(button.dataset.do); };

  const input = at('find').lastElementChild;
  input.oninput = drawOptions;
  document.addEventListener('keydown', event => {
    const { key, target } = event;
    if (!moment || event.ctrlKey || event.altKey || event.metaKey) return;
    const isTyping = target === input, isButton = target.closest('button, [role=button]');
    const choices = [...at('options').querySelectorAll('.group > button')];
    const take = () => event.preventDefault();
    if (key === 'Escape') { input.value = ''; input.blur(); lookBack(lines.length); pick([]); return; }
    if (/^[1-9]$/.test(key) && !isTyping) { take(); if (choices[key - 1]) choices[key - 1].click(); return; }
    if (key === 'Enter' || (key === ' ' && target.closest('.area'))) {
      if (target.closest('.area')) { take(); clicked(areaOf(target)); return; }
      if (isButton) return;
      take();
      const ok = (target.closest('.form') || at('options')).querySelector('.play-it');
      if (isTyping && choices.length === 1) choices[0].click();
      else if (ok) ok.click();
      else act('done');
      return;
    }
    if (key === 'Backspace' && !(isTyping && input.value)) { take(); act('undo'); return; }
    if (isTyping || target.closest('input')) return;
    if (key === 'h') { take(); act('hint'); return; }
    if (key === 'o') { take(); act('odds'); return; }
    if ((/^[a-z]$/i.test(key) || key === '/') && !at('find').hidden) {
      if (key === '/') take();
      input.focus();
    }
  });

  stream();
})();
