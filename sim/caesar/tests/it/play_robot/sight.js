// What a robot at the page sees and sends. The page itself is left as it is.
window.sent = [];
const real = window.fetch;
window.fetch = async (path, options = {}) => {
  if (options.method !== 'POST') return real(path, options);
  const wish = { path, ...JSON.parse(options.body), status: 0 };
  sent.push(wish);
  const answer = await real(path, options);
  wish.status = answer.status;
  return answer;
};

const all = selector => [...document.querySelectorAll(selector)];

// Waits until the page shows a decision that nothing has answered, or the end, for at most so many milliseconds.
window.due = patience => new Promise(done => {
  const began = Date.now();
  const look = () => {
    const { state, moment } = document.body.dataset;
    const isAnswered = wish => !['/hint', '/odds'].includes(wish.path) && String(wish.moment) === moment;
    const isQuiet = !document.body.classList.contains('busy') && !sent.some(wish => !wish.status || isAnswered(wish));
    if (state === 'over' || state === 'taken' || (state === 'asks' && isQuiet)) done(state);
    else if (Date.now() - began > patience) done('waits');
    else setTimeout(look, 2);
  };
  look();
});

// Returns whether a point is one of the element.
const hits = (element, x, y) => { const top = document.elementFromPoint(x, y); return top && element.contains(top); };

// Returns a point at which a pointer meets the element; the middle, or one of a grid for shapes with bays.
function pointOf(element) {
  if (!(element instanceof SVGElement)) element.scrollIntoView({ block: 'nearest' });
  const { left, top, width, height } = element.getBoundingClientRect();
  for (const n of [2, 7, 31]) {
    for (let i = 1; i < n; i++) {
      for (let j = 1; j < n; j++) {
        const [x, y] = [Math.round(left + (width * i) / n), Math.round(top + (height * j) / n)];
        if (hits(element, x, y)) return [x, y];
      }
    }
  }
  throw new Error(`nothing can be clicked of ${element.outerHTML.slice(0, 200)}`);
}

// Chooses something that can be clicked, by two numbers from 0 to 1; returns its kind and a point of it.
window.aim = ([kind, which], acts) => {
  const kinds = {
    option: [6, all('#options .group > button')],
    area: [3, all('#picture .area.can')],
    form: [4, all('#options .play-it')],
    step: [2, all('#options .steps button, #options .pieces')],
    all: [0.3, all('#picked:not([hidden]) button')],
    act: [0.6, all('#buttons button').filter(button => !button.disabled && !button.hidden && acts.includes(button.dataset.do))],
  };
  const there = Object.entries(kinds).filter(([, [, elements]]) => elements.length);
  let place = kind * there.reduce((sum, [, [weight]]) => sum + weight, 0);
  const [name, [, elements]] = there.find(([, [weight]]) => (place -= weight) <= 0) || there[0];
  return [name, pointOf(elements[Math.floor(which * elements.length)])];
};

// Returns what whoever plays by keys reads: the labels of the options, the number of forms, and the acts.
window.read = () => ({
  options: all('#options .group > button').map(button => [...button.childNodes].filter(node => node.nodeType === 3).map(node => node.data).join('')),
  forms: all('#options .play-it').length,
  acts: all('#buttons button').filter(button => !button.disabled && !button.hidden).map(button => button.dataset.do),
  areas: all('#picture .area.can').length,
  sliders: all('#options .form input').length,
  find: !document.querySelector('#find').hidden,
  typing: document.activeElement === document.querySelector('#find input'),
});

// Returns the kind of what is shown: each kind is looked at once by those who look closely.
window.kind = () => [document.body.dataset.state, ...['.form', '.card', '#picked:not([hidden])', '#find:not([hidden])', '#answer table', '#standing .figure', '#standing table', '.pieces'].filter(part => document.querySelector(part))].join(' ');

// The milliseconds from each click to the next menu, if the same seat goes on.
window.waits = [];
addEventListener('click', () => {
  const from = performance.now(), { moment } = document.body.dataset;
  const look = () => {
    const now = document.body.dataset, took = performance.now() - from;
    if (now.state !== 'asks' || took > 5000) return;
    if (now.moment !== moment && !document.body.classList.contains('busy')) waits.push(took);
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}, true);
window.firstPaint = () => new Promise(done => {
  const look = () => {
    const [paint] = performance.getEntriesByName('first-contentful-paint');
    if (paint) done([paint.startTime]); else setTimeout(look, 2);
  };
  look();
});
