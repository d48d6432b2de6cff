// CSS as Playwright's users write it: shadow roots are looked into, and there are a few functions more.

const WITH_SELECTORS = ['is', 'where', 'not', 'has', 'light'];
const WITH_TEXTS = ['text', 'text-is', 'text-matches', 'has-text'];
const WITH_BOTH = ['near', 'left-of', 'right-of', 'above', 'below', 'nth-match'];
const WITH_NONE = ['visible', 'scope'];
const OWN = [...WITH_SELECTORS, ...WITH_TEXTS, ...WITH_BOTH, ...WITH_NONE];

// A selector list: [[{css, functions: [{name, selectors, texts}], combinator}]]. The combinator stands behind its compound.
const parseCss = source => {
  let at = 0;
  const fail = () => {
    throw new Unfit(`the selector can't be read at ${at}: ${source}`);
  };
  const skip = () => {
    while (/\s/.test(source[at] ?? '')) at++;
  };
  const quoted = () => {
    const start = at;
    const quote = source[at++];
    while (source[at] !== quote) {
      if (at >= source.length) fail();
      at += source[at] === '\\' ? 2 : 1;
    }
    return source.slice(start, ++at);
  };
  // Up to the bracket that ends what begins here, which is left to the browser.
  const native = () => {
    const start = at;
    let open = 0;
    do {
      if (at >= source.length) fail();
      const letter = source[at];
      if (letter === '"' || letter === "'") {
        quoted();
        continue;
      }
      if (letter === '(' || letter === '[') open++;
      if (letter === ')' || letter === ']') open--;
      at += letter === '\\' ? 2 : 1;
    } while (open > 0);
    return source.slice(start, at);
  };
  const own = name => {
    const made = { name, selectors: [], texts: [] };
    if (source[at] !== '(') return WITH_NONE.includes(name) ? made : fail();
    at++;
    while (true) {
      skip();
      if (source[at] === ')' && !made.selectors.length && !made.texts.length) break;
      const number = WITH_BOTH.includes(name) && /^[\d.]+/.exec(source.slice(at));
      if (number) {
        made.texts.push(Number(number[0]));
        at += number[0].length;
      } else if (WITH_TEXTS.includes(name)) {
        made.texts.push(unquote(/["']/.test(source[at] ?? '') ? quoted() : fail()));
      } else {
        made.selectors.push(complex());
      }
      skip();
      if (source[at] !== ',') break;
      at++;
    }
    if (source[at] !== ')') fail();
    at++;
    return made;
  };
  const compound = () => {
    const made = { css: '', functions: [], combinator: '' };
    while (at < source.length && !/[\s>+~,)]/.test(source[at])) {
      const name = /^:([-a-z]+)/i.exec(source.slice(at))?.[1].toLowerCase();
      if (name && source[at + 1] !== ':' && OWN.includes(name)) {
        at += name.length + 1;
        made.functions.push(own(name));
      } else if (name) {
        made.css += source.slice(at, (at += name.length + 1));
        if (source[at] === '(') made.css += native();
      } else if (source[at] === '[') {
        made.css += native();
      } else if (source[at] === '"' || source[at] === "'" || source[at] === '(') {
        fail();
      } else {
        made.css += source.slice(at, (at += source[at] === '\\' ? 2 : 1));
      }
    }
    if (!made.css && !made.functions.length) fail();
    return made;
  };
  const complex = () => {
    const made = [];
    skip();
    if (/[>+~]/.test(source[at] ?? '')) {
      made.push({ css: '', functions: [{ name: 'scope', selectors: [], texts: [] }], combinator: source[at++] });
      skip();
    }
    while (true) {
      const part = compound();
      made.push(part);
      skip();
      if (at >= source.length || /[,)]/.test(source[at])) return made;
      if (/[>+~]/.test(source[at])) part.combinator = source[at++];
      skip();
    }
  };
  const list = [];
  do {
    list.push(complex());
  } while (source[at++] === ',');
  return at > source.length ? list : fail();
};

const within = (element, scope) => element !== scope.root;

const parentIn = (element, scope) => {
  if (!within(element, scope)) return null;
  return scope.pierces ? parentOf(element) : element.parentElement;
};

const siblingIn = (element, scope) => (within(element, scope) ? element.previousElementSibling : null);

// Elements below the scope that match plain CSS; those of shadow roots come last.
const select = (scope, css) => {
  const found = [];
  const look = root => {
    found.push(...root.querySelectorAll(css));
    if (!scope.pierces) return;
    if (root.shadowRoot) look(root.shadowRoot);
    for (const element of root.querySelectorAll('*')) if (element.shadowRoot) look(element.shadowRoot);
  };
  look(scope.root);
  return found;
};

const matchesCompound = (element, compound, scope, query) =>
  within(element, scope) &&
  (!compound.css || element.matches(compound.css)) &&
  compound.functions.every(one => FUNCTIONS[one.name](element, one, scope, query));

const matchesBefore = (element, complex, index, scope, query) => {
  if (index < 0) return true;
  const before = complex[index];
  const next = before.combinator === '' || before.combinator === '>' ? parentIn : siblingIn;
  const isOneStep = before.combinator === '>' || before.combinator === '+';
  for (let one = next(element, scope); one; one = isOneStep ? null : next(one, scope)) {
    if (matchesCompound(one, before, scope, query) && matchesBefore(one, complex, index - 1, scope, query)) return true;
  }
  return false;
};

// A selector that names its scope may match the scope itself.
const widened = (complex, scope) => {
  const namesScope = complex.some(part => part.functions.some(one => one.name === 'scope'));
  const around = namesScope && scope.root.nodeType === Node.ELEMENT_NODE && (parentOf(scope.root) ?? scope.root.getRootNode());
  return around ? { ...scope, root: around, named: scope.named ?? scope.root } : scope;
};

const matchesComplex = (element, complex, scope, query) => {
  const wide = widened(complex, scope);
  return (
    matchesCompound(element, complex.at(-1), wide, query) && matchesBefore(element, complex, complex.length - 2, wide, query)
  );
};

const queryComplex = (complex, scope, query) => {
  const wide = widened(complex, scope);
  const last = complex.at(-1);
  return select(wide, last.css || '*').filter(
    element => matchesCompound(element, last, wide, query) && matchesBefore(element, complex, complex.length - 2, wide, query));
};

const byOrder = (a, b) => {
  const [pathA, pathB] = [a, b].map(element => [...ancestors(element)].reverse());
  let depth = 0;
  while (pathA[depth] && pathA[depth] === pathB[depth]) depth++;
  if (!pathA[depth] || !pathB[depth]) return pathA.length - pathB.length;
  const isInShadow = element => element.parentNode instanceof ShadowRoot;
  if (isInShadow(pathA[depth]) !== isInShadow(pathB[depth])) return isInShadow(pathA[depth]) ? 1 : -1;
  return pathA[depth].compareDocumentPosition(pathB[depth]) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1;
};

const queryList = (list, scope, query) => {
  query.scores = new Map();
  const found = list.map(complex => queryComplex(complex, scope, query));
  const all = found.length === 1 ? found[0] : [...new Set(found.flat())].sort(byOrder);
  const scores = query.scores;
  return scores.size ? all.sort((a, b) => (scores.get(a) ?? Infinity) - (scores.get(b) ?? Infinity)) : all;
};

const byText = (element, matches, query) => matchText(element, matches, query.texts);

const only = one => {
  if (one.texts.length !== 1) throw new Unfit(`:${one.name}() takes one text`);
  return one.texts[0];
};

const FUNCTIONS = {
  is: (element, one, scope, query) => one.selectors.some(complex => matchesComplex(element, complex, scope, query)),
  where: (...all) => FUNCTIONS.is(...all),
  not: (...all) => !FUNCTIONS.is(...all),
  has: (element, one, scope, query) =>
    one.selectors.some(complex => queryComplex(complex, { root: element, pierces: scope.pierces }, query).length > 0),
  light: (element, one, scope, query) =>
    element.getRootNode() === scope.root.getRootNode() && FUNCTIONS.is(element, one, { ...scope, pierces: false }, query),
  scope: (element, one, scope) => {
    const named = scope.named ?? scope.root;
    return element === (named.nodeType === Node.DOCUMENT_NODE ? named.documentElement : named);
  },
  visible: element => isVisible(element),
  text: (element, one, scope, query) => byText(element, containsText(only(one)), query) === 'self',
  'text-is': (element, one, scope, query) => byText(element, isText(only(one)), query) !== 'none',
  'text-matches': (element, one, scope, query) => byText(element, matchesText(...one.texts), query) === 'self',
  'has-text': (element, one, scope, query) =>
    !hasNoText(element) && containsText(only(one))(textOf(element, query.texts)),
  'nth-match': (element, one, scope, query) => {
    const found = [...new Set(one.selectors.flatMap(complex => queryComplex(complex, scope, query)))];
    return found.sort(byOrder)[one.texts[0] - 1] === element;
  },
  ...LAYOUT,
};
