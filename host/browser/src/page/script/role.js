// role=button[name="Save"][disabled]: by what assistive technology is told. Role and name are the browser's own (the pages'
// feature ComputedAccessibilityInfo).

const OPERATORS = {
  '=': (found, wanted) => found === wanted,
  '*=': (found, wanted) => found.includes(wanted),
  '^=': (found, wanted) => found.startsWith(wanted),
  '$=': (found, wanted) => found.endsWith(wanted),
  '|=': (found, wanted) => found === wanted || found.startsWith(wanted + '-'),
  '~=': (found, wanted) => found.split(' ').includes(wanted),
};

const ATTRIBUTE = new RegExp(
  String.raw`\s*\[\s*([-a-z]+)\s*(?:([*^$|~]?=)\s*(?:"((?:\\.|[^"\\])*)"|'((?:\\.|[^'\\])*)'|/((?:\\.|[^/\\])*)/([a-z]*)|([^\s\]]+))\s*([is])?)?\s*\]`, 'iy');

const parseRole = source => {
  const role = /^\s*([-a-z]+)/i.exec(source);
  if (!role) throw new Unfit(`the role can't be read: ${source}`);
  const attributes = [];
  ATTRIBUTE.lastIndex = role[0].length;
  while (source.slice(ATTRIBUTE.lastIndex).trim()) {
    const found = ATTRIBUTE.exec(source);
    if (!found) throw new Unfit(`the role can't be read: ${source}`);
    const [, name, operator, double, single, pattern, flags, bare, caseFlag] = found;
    const text = double ?? single;
    const value = pattern !== undefined ? new RegExp(pattern, flags) : text !== undefined ? text.replace(/\\(.)/g, '$1') : bare ?? 'true';
    attributes.push({ name: name.toLowerCase(), operator: operator ?? '=', value, ignoresCase: caseFlag?.toLowerCase() === 'i' });
  }
  return { role: role[1].toLowerCase(), attributes };
};

const STATES = {
  name: element => normalise(element.computedName ?? ''),
  description: element => normalise(element.getAttribute('aria-description') ?? ''),
  checked: element => {
    if (element instanceof HTMLInputElement && ['checkbox', 'radio'].includes(element.type)) {
      return element.indeterminate ? 'mixed' : String(element.checked);
    }
    return element.getAttribute('aria-checked') ?? 'false';
  },
  disabled: element => String(isDisabled(element)),
  expanded: element => (element instanceof HTMLDetailsElement ? String(element.open) : element.getAttribute('aria-expanded') ?? ''),
  level: element => element.getAttribute('aria-level') ?? /^H([1-6])$/.exec(element.nodeName)?.[1] ?? '',
  pressed: element => element.getAttribute('aria-pressed') ?? 'false',
  selected: element =>
    element instanceof HTMLOptionElement ? String(element.selected) : element.getAttribute('aria-selected') ?? 'false',
  'include-hidden': () => 'true',
};

const hasState = (element, { name, operator, value, ignoresCase }) => {
  if (name === 'include-hidden') return true;
  const found = STATES[name](element);
  if (value instanceof RegExp) return value.test(found);
  const wanted = name === 'name' || name === 'description' ? normalise(value) : value;
  return ignoresCase ? OPERATORS[operator](found.toLowerCase(), wanted.toLowerCase()) : OPERATORS[operator](found, wanted);
};

const queryRole = (source, scope) => {
  const { role, attributes } = parseRole(source);
  for (const { name } of attributes) if (!STATES[name]) throw new Unfit(`a role has no attribute ${name}: ${source}`);
  return select(scope, '*').filter(
    element => roleOf(element) === role && attributes.every(attribute => hasState(element, attribute)));
};
