(() => {
"use strict";

// Elements, with their texts as texts.
function make(name, attributes = {}, ...children) {
  const e = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) e.setAttribute(key, value);
  e.append(...children);
  return e;
}

function draw(name, attributes = {}, ...children) {
  const e = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) e.setAttribute(key, value);
  e.append(...children);
  return e;
}

const specOf = e => JSON.parse(e.querySelector("script").textContent);
const css = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const colorOf = series => css(series.color < 0 ? "--soft" : "--c" + series.color % 6);

// How a value is written: long in a tooltip, short on an axis.
const digits = (x, n) => x.toLocaleString("en", {maximumSignificantDigits: n});
const number = {
  long: x => Math.abs(x) < 100 ? digits(x, 3) : Math.round(x).toLocaleString("en"),
  short: x => Math.abs(x) < 1e4 ? digits(x, 4) : x.toLocaleString("en", {notation: "compact", maximumSignificantDigits: 3}),
};
const percent = x => digits(100 * x, 3) + " %";
function time(ns) {
  const [unit, name] = [[1, "ns"], [1e3, "µs"], [1e6, "ms"], [1e9, "s"]].findLast(([unit]) => ns >= unit) ?? [1, "ns"];
  return digits(ns / unit, 3) + " " + name;
}
const write = {
  number,
  whole: {long: x => Math.round(x).toLocaleString("en"), short: number.short},
  percent: {long: percent, short: percent},
  ns: {long: time, short: time},
};

// Columns of data as uPlot wants them: all x of all series, ascending, and for
// each line the values there, or null. Points keep each an x of their own.
function columns(spec) {
  const rows = new Map(), keys = [];
  const lines = spec.series.flatMap(s => s.kind === "band" ? [s.high, s.y] : [s.y]);
  const names = [];
  let line = 0;
  for (const s of spec.series) {
    s.x.forEach((x, i) => {
      const key = s.kind === "points" ? line + ":" + i : x;
      let row = rows.get(key);
      if (!row) rows.set(key, row = {x, values: lines.map(() => null), name: s.names?.[i]});
      row.values[line] = (s.kind === "band" ? s.high : s.y)[i];
      if (s.kind === "band") row.values[line + 1] = s.y[i];
    });
    line += s.kind === "band" ? 2 : 1;
  }
  const sorted = [...rows.values()].sort((a, b) => a.x - b.x);
  if (spec.y.log) for (const row of sorted) row.values = row.values.map(v => v > 0 ? v : null);
  return {
    data: [sorted.map(row => row.x), ...lines.map((_, i) => sorted.map(row => row.values[i]))],
    names: sorted.map(row => row.name),
  };
}

function scale(axis, bars) {
  if (axis.log) return {time: false, distr: 3};
  if (axis.max) return {time: false, range: [0, axis.max]};
  if (bars) return {time: false, range: (_, low, high) => [Math.round(low) - 0.6, Math.round(high) + 0.6]};
  return {time: false};
}

function axisOf(axis, isX) {
  const whole = [...Array(15).keys()].flatMap(n => [1, 2, 5].map(m => m * 10 ** n));
  // A logarithmic axis shows the powers of ten, if there are any.
  const powers = (_, splits) => {
    const kept = splits.map(v => Math.abs(Math.log10(v) % 1) < 1e-9 ? v : null);
    return kept.some(v => v !== null) ? kept : splits;
  };
  const filter = axis.log ? {filter: powers} : {};
  return {
    ...filter, label: axis.label, labelSize: 22, labelGap: 0, labelFont: "12px system-ui, sans-serif", font: "12px system-ui, sans-serif",
    stroke: css("--soft"), grid: {stroke: css("--grid"), width: 1, ...filter}, ticks: {stroke: css("--grid"), width: 1, ...filter},
    size: isX ? 34 : 56, gap: 4, space: !isX ? 34 : axis.unit === "whole" ? 28 : 52,
    ...(axis.unit === "whole" && {incrs: whole}),
    values: (_, splits) => splits.map(v => v === null ? "" : write[axis.unit].short(v)),
  };
}

// The lines of a chart: what uPlot draws, and what a tooltip calls them.
function linesOf(spec) {
  const lines = [], bands = [];
  for (const s of spec.series) {
    const color = colorOf(s), line = {label: s.label, color, kind: s.kind, stroke: color, width: 2, spanGaps: true, points: {show: false}};
    switch (s.kind) {
    case "band":
      lines.push({...line, label: s.label + ", upper", width: 0}, {...line, label: s.label + ", lower", width: 0});
      bands.push({series: [lines.length - 1, lines.length], fill: color + "30"});
      break;
    case "bars":
      lines.push({...line, width: 0, fill: color + "c0", paths: uPlot.paths.bars({size: [0.86, 60]})});
      break;
    case "points":
      lines.push({...line, width: 0, paths: () => null, points: {show: true, size: 4, width: 0, fill: color + "b0"}});
      break;
    case "dashed":
      lines.push({...line, width: 1.5, dash: [5, 4]});
      break;
    default:
      lines.push(line);
    }
  }
  return {lines, bands};
}

// A tooltip tells the values at the cursor; on a chart of points, those of the
// nearest one.
function tooltip(spec, lines, names) {
  const tip = make("div", {class: "tip", hidden: ""}), ring = make("div", {class: "ring", hidden: ""});
  const points = spec.series.some(s => s.kind === "points");
  const entry = (text, color) => {
    const swatch = make("i");
    swatch.style.background = color;
    return make("div", {}, swatch, text);
  };
  const y = v => write[spec.y.unit].long(v);
  function nearest(u) {
    let best = null, least = 30 ** 2;
    u.data[0].forEach((x, i) => {
      const line = lines.findIndex((_, k) => u.data[k + 1][i] !== null);
      if (line < 0) return;
      const left = u.valToPos(x, "x"), top = u.valToPos(u.data[line + 1][i], "y");
      const distance = (left - u.cursor.left) ** 2 + (top - u.cursor.top) ** 2;
      if (distance < least) [best, least] = [{i, line, left, top}, distance];
    });
    return best;
  }
  return {hooks: {
    init: u => u.over.append(tip, ring),
    setCursor: u => {
      let {left, top, idx} = u.cursor, content = [];
      if (left >= 0 && points) {
        const p = nearest(u);
        ring.hidden = !p;
        if (p) {
          content = [make("b", {}, names[p.i] ?? ""), make("div", {}, spec.x.label + ": " + write[spec.x.unit].long(u.data[0][p.i])), entry(spec.y.label + ": " + y(u.data[p.line + 1][p.i]), lines[p.line].color)];
          ring.style.left = p.left + "px";
          ring.style.top = p.top + "px";
        }
      } else if (left >= 0 && idx !== null) {
        content = lines.flatMap((line, k) => {
          const v = u.data[k + 1][idx];
          return v === null ? [] : [entry((line.label || spec.y.label) + ": " + y(v), line.color)];
        });
        if (content.length) content.unshift(make("b", {}, spec.x.label + " " + write[spec.x.unit].long(u.data[0][idx])));
      }
      tip.hidden = content.length === 0;
      tip.replaceChildren(...content);
      if (tip.hidden) return;
      const width = u.over.clientWidth, height = u.over.clientHeight;
      tip.style.left = Math.max(0, left > width / 2 ? left - tip.offsetWidth - 14 : Math.min(left + 14, width - tip.offsetWidth)) + "px";
      tip.style.top = Math.max(0, Math.min(top + 10, height - tip.offsetHeight)) + "px";
    },
  }};
}

function legend(box, series) {
  if (series.length < 2) return;
  box.replaceChildren(...series.map(s => {
    const swatch = make("i", {class: s.kind});
    swatch.style[s.kind === "dashed" ? "borderColor" : "background"] = colorOf(s);
    return make("span", {}, swatch, s.label);
  }));
}

function chart(figure) {
  const spec = specOf(figure), box = figure.querySelector(".chart");
  const {data, names} = columns(spec);
  const size = () => ({width: box.clientWidth, height: Math.round(Math.max(240, Math.min(330, box.clientWidth * 0.62)))});
  let plot;
  function build() {
    plot?.destroy();
    legend(figure.querySelector(".legend"), spec.series);
    const {lines, bands} = linesOf(spec);
    const bars = spec.series.some(s => s.kind === "bars"), points = spec.series.some(s => s.kind === "points");
    plot = new uPlot({
      ...size(),
      scales: {x: scale(spec.x, bars), y: spec.y.log || spec.y.max ? scale(spec.y) : {range: (_, low, high) => [0, high > 0 ? high * 1.05 : 1]}},
      axes: [axisOf(spec.x, true), axisOf(spec.y, false)],
      series: [{}, ...lines], bands,
      legend: {show: false},
      cursor: {y: points, points: {show: !points, size: 7}, drag: {x: true, y: false}},
      plugins: [tooltip(spec, lines, names)],
    }, data, box);
  }
  build();
  new ResizeObserver(() => { if (box.clientWidth && box.clientWidth !== plot.width) plot.setSize(size()); }).observe(box);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", build);
}

// A player shows a board and makes the moves of its solution.
function player(article) {
  const spec = specOf(article), box = article.querySelector(".player"), last = spec.frames.length - 1;
  const unit = 10;
  const svg = draw("svg", {viewBox: `0 0 ${spec.size.cols * unit} ${spec.size.rows * unit}`, role: "img"});
  const at = ({Row, Col}) => ({x: Col * unit + unit / 2, y: Row * unit + unit / 2});
  const cells = spec.cells.map(c => {
    if (c.Row < 0) return null;
    const {x, y} = at(c);
    const g = draw("g", {}, draw("rect", {x: x - 4.6, y: y - 4.6, width: 9.2, height: 9.2, rx: 1.4}), draw("text", {x, y}));
    svg.append(g);
    return {g, text: g.lastChild, goal: c.Goal};
  });
  const marks = spec.marks.map(m => {
    const text = draw("text", {...at(m), class: "mark"}, m.Text);
    svg.append(text);
    return text;
  });

  const icon = path => draw("svg", {viewBox: "0 0 14 14", "aria-hidden": "true"}, draw("path", {d: path}));
  const icons = {
    first: "M2 2h2v10H2zM12 3.5 8.5 7l3.5 3.5-1.5 1.5L5.5 7l5-5z", back: "M10 3.5 6.5 7l3.5 3.5L8.5 12l-5-5 5-5z",
    play: "M3 1.5 12.5 7 3 12.5z", pause: "M3 2h3v10H3zM8 2h3v10H8z",
    next: "M4 3.5 7.5 7 4 10.5 5.5 12l5-5-5-5z", end: "M10 2h2v10h-2zM2 3.5 5.5 7 2 10.5 3.5 12l5-5-5-5z",
  };
  const button = (name, label, act) => {
    const b = make("button", {type: "button", class: name, title: label, "aria-label": label}, icon(icons[name]));
    b.addEventListener("click", act);
    return b;
  };
  let step = 0, timer = 0;
  const stop = () => { clearInterval(timer); timer = 0; };
  const go = to => { stop(); show(to); };
  const play = () => {
    if (timer) return go(step);
    if (step === last) show(0);
    timer = setInterval(() => { if (step + 1 >= last) stop(); show(Math.min(last, step + 1)); }, 650);
    show(step);
  };
  const controls = {
    first: button("first", "to the start", () => go(0)), back: button("back", "one move back", () => go(step - 1)),
    play: button("play", "play or pause", play),
    next: button("next", "one move on", () => go(step + 1)), end: button("end", "to the solution", () => go(last)),
  };
  const moves = [...spec.moves].map((letter, i) => {
    const b = make("button", {type: "button", title: "move " + (i + 1)}, letter);
    b.addEventListener("click", () => go(i + 1));
    return b;
  });
  const where = make("small");

  function show(to) {
    const from = step;
    step = to;
    const frame = spec.frames[step], before = spec.frames[Math.abs(step - from) === 1 ? from : step];
    cells.forEach((c, i) => {
      if (!c) return;
      const symbol = frame[i], blank = symbol === spec.blank;
      c.text.textContent = blank ? "" : symbol;
      c.g.setAttribute("class", ["cell", blank ? "blank" : spec.colored ? "s" + symbol : "", c.goal ? "goal" : "", before[i] !== symbol ? "changed" : ""].filter(Boolean).join(" "));
    });
    marks.forEach((m, i) => m.classList.toggle("lit", step > 0 && spec.marks[i].Text === spec.moves[step - 1]));
    moves.forEach((b, i) => { b.classList.toggle("done", i < step); b.classList.toggle("now", i === step - 1); });
    svg.classList.toggle("solved", step === last);
    svg.setAttribute("aria-label", "board after " + step + " moves: " + frame);
    where.textContent = `move ${step} of ${last}${step === last ? ", solved" : ""}`;
    controls.first.disabled = controls.back.disabled = step === 0;
    controls.next.disabled = controls.end.disabled = step === last;
    controls.play.disabled = last === 0;
    controls.play.replaceChildren(icon(timer ? icons.pause : icons.play));
    article.dataset.board = frame;
    article.dataset.step = step;
  }
  box.append(svg, make("div", {class: "controls"}, ...Object.values(controls)), make("div", {class: "moves"}, ...moves, where));
  show(0);
}

document.querySelectorAll("figure").forEach(chart);
document.querySelectorAll(".board").forEach(player);
})();
