// Tables of a report: a click on the head of a column sorts by it, and every cell carries the name of its column for phones.
(() => {
  'use strict';
  const last = (a, b) => (a === '') - (b === '');
  const number = text => {
    const found = text.replace(/[\u202f ]/g, '').match(/^[<≤]?([+-]?\d+(\.\d+)?)/);
    return found ? Number(found[1]) : null;
  };
  const compare = (a, b) => {
    const [x, y] = [number(a), number(b)];
    return x === null || y === null ? a.localeCompare(b, 'en', { numeric: true }) : x - y;
  };
  for (const table of document.querySelectorAll('.scroll table')) {
    const heads = [...table.tHead.rows[0].cells];
    const body = table.tBodies[0];
    const rows = [...body.rows];
    rows.forEach(row => heads.forEach((head, i) => { row.cells[i].dataset.label = head.textContent; }));
    if (rows.length < 2) continue;
    heads.forEach((head, i) => {
      const button = document.createElement('button');
      button.append(...head.childNodes);
      head.append(button);
      button.addEventListener('click', () => {
        // Numbers begin with the largest, names with the first.
        const first = head.classList.contains('number') ? 'descending' : 'ascending';
        const other = first === 'ascending' ? 'descending' : 'ascending';
        const order = head.getAttribute('aria-sort') === first ? other : first;
        heads.forEach(each => each.removeAttribute('aria-sort'));
        head.setAttribute('aria-sort', order);
        const sign = order === 'ascending' ? 1 : -1;
        const text = row => row.cells[i].textContent;
        rows.sort((a, b) => last(text(a), text(b)) || sign * compare(text(a), text(b)));
        body.append(...rows);
      });
    });
  }
})();
