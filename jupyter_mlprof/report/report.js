/* Draws the charts of a report when they come into sight, in the colours of the reader's scheme. */
(() => {
  'use strict';

  const dark = matchMedia('(prefers-color-scheme: dark)');
  const drawn = new Map();
  Bokeh.set_log_level('warn');

  const scheme = () => (dark.matches ? 'dark' : 'light');

  /* Give the models of a drawn chart their colours. */
  function colour({ models, colours }, name) {
    for (const [id, look] of Object.entries(colours[name])) {
      models.get(id)?.setv(look);
    }
  }

  async function draw(box) {
    const data = JSON.parse(document.getElementById(box.dataset.chart).textContent);
    const still = [...box.childNodes];
    box.replaceChildren();
    try {
      const views = await Bokeh.embed.embed_item(data.item, box);
      const bokeh = [...views.roots][0].model.document;
      const models = new Map([...bokeh.all_models].map(model => [model.id, model]));
      const chart = { models, colours: data.colours };
      drawn.set(box, chart);
      colour(chart, scheme());
      move(box, bokeh);
    } catch (error) {
      console.error('A chart could not be drawn.', error);
      box.replaceChildren(...still);
    }
  }

  /* A double click shows all of a chart again, a click on a box of the call tree zooms into it. */
  function move(box, bokeh) {
    const x = bokeh.get_model_by_name('x');
    const reset = () => x.setv({ start: 0, end: x.bounds[1] });
    box.addEventListener('dblclick', reset);
    const flame = bokeh.get_model_by_name('flame');
    if (flame === null) {
      return;
    }
    flame.on_event('tap', event => {
      const at = boxAt(bokeh.get_model_by_name('data').data, event);
      if (at !== null) {
        x.setv({ start: at[0], end: at[1] });
      }
    });
    const relabel = () => label(bokeh, x, flame);
    x.change.connect(relabel);
    /* BokehJS lays out anew only after the page did. */
    new ResizeObserver(() => setTimeout(relabel, 100)).observe(box);
  }

  function boxAt({ left, right, top }, { x, y }) {
    const row = Math.floor(y);
    for (let place = 0; place < left.length; place++) {
      if (top[place] === row && left[place] <= x && x < right[place]) {
        return [left[place], right[place]];
      }
    }
    return null;
  }

  /* Names fit their boxes anew when the call tree is zoomed. */
  function label(bokeh, x, flame) {
    const { left, right, top, name } = bokeh.get_model_by_name('data').data;
    const letters = (flame.inner_width || 800) / (x.end - x.start) / 6;
    const labels = { x: [], y: [], text: [] };
    for (let place = 0; place < left.length; place++) {
      const from = Math.max(left[place], x.start);
      const room = Math.floor((Math.min(right[place], x.end) - from) * letters) - 1;
      if (room >= 3) {
        const whole = name[place].length <= room;
        labels.x.push(from);
        labels.y.push(top[place] + 0.5);
        labels.text.push(whole ? name[place] : `${name[place].slice(0, room - 1)}…`);
      }
    }
    bokeh.get_model_by_name('labels').setv({ data: labels });
  }

  /* A click on the head of a column sorts by it, the highest first. */
  function sortable(table) {
    const heads = [...table.querySelectorAll('th')];
    heads.forEach((head, column) => {
      const cells = [...table.tBodies[0].rows].map(row => row.cells[column]);
      if (!cells.some(cell => cell.dataset.value)) {
        return;
      }
      const button = document.createElement('button');
      button.type = 'button';
      button.append(...head.childNodes);
      head.append(button);
      button.addEventListener('click', () => {
        const value = row => Number(row.cells[column].dataset.value ?? -1);
        const rows = [...table.tBodies[0].rows].sort((a, b) => value(b) - value(a));
        table.tBodies[0].append(...rows);
        heads.forEach(one => one.setAttribute('aria-sort', one === head ? 'descending' : 'none'));
      });
    });
  }

  const watcher = new IntersectionObserver(
    entries => {
      for (const { isIntersecting, target } of entries) {
        if (isIntersecting) {
          watcher.unobserve(target);
          void draw(target);
        }
      }
    },
    { rootMargin: '600px' }
  );
  document.querySelectorAll('[data-chart]').forEach(box => watcher.observe(box));
  document.querySelectorAll('.mp-sortable').forEach(sortable);
  dark.addEventListener('change', () => drawn.forEach(chart => colour(chart, scheme())));

  /* On paper all is unfolded, in the colours of light. */
  let folded = [];
  addEventListener('beforeprint', () => {
    folded = [...document.querySelectorAll('details:not([open])')];
    folded.forEach(one => one.setAttribute('open', ''));
    drawn.forEach(chart => colour(chart, 'light'));
  });
  addEventListener('afterprint', () => {
    folded.forEach(one => one.removeAttribute('open'));
    drawn.forEach(chart => colour(chart, scheme()));
  });
})();
