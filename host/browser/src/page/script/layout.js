// Selectors that go by where an element is drawn: the nearer, the earlier it comes.

const DISTANCES = {
  'right-of': (a, b) => [a.left - b.right, Math.max(b.bottom - a.bottom, 0) + Math.max(a.top - b.top, 0)],
  'left-of': (a, b) => [b.left - a.right, Math.max(b.bottom - a.bottom, 0) + Math.max(a.top - b.top, 0)],
  above: (a, b) => [b.top - a.bottom, Math.max(a.left - b.left, 0) + Math.max(b.right - a.right, 0)],
  below: (a, b) => [a.top - b.bottom, Math.max(a.left - b.left, 0) + Math.max(b.right - a.right, 0)],
  near: (a, b) => [
    Math.max(a.left - b.right, 0) + Math.max(b.left - a.right, 0) + Math.max(b.top - a.bottom, 0) + Math.max(a.top - b.bottom, 0),
    0,
  ],
};

const NEAR = 50;

const layoutOf = name => (element, one, scope, query) => {
  const most = one.texts.at(-1) ?? (name === 'near' ? NEAR : Infinity);
  const box = element.getBoundingClientRect();
  let best = Infinity;
  for (const other of one.selectors.flatMap(complex => queryComplex(complex, scope, query))) {
    if (other === element) continue;
    const [distance, offset] = DISTANCES[name](box, other.getBoundingClientRect());
    if (distance >= 0 && distance <= most) best = Math.min(best, distance + offset);
  }
  if (best === Infinity) return false;
  query.scores.set(element, best);
  return true;
};

const LAYOUT = Object.fromEntries(Object.keys(DISTANCES).map(name => [name, layoutOf(name)]));
