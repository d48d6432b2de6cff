// Playwright's selector language: parts with an engine each, joined by `>>`.

// Something that the caller has to change: no state of the page will make it right.
class Unfit extends Error {}

// Where `>>` stands outside quotes.
const split = source => {
  const parts = [];
  let [start, quote] = [0, ''];
  // Behind `text=` a quote is a letter, unless it comes first.
  const isLetter = at => /^\s*text\s*=./s.test(source.slice(start, at));
  for (let at = 0; at < source.length; at++) {
    const letter = source[at];
    if (letter === '\\') at++;
    else if (letter === quote) quote = '';
    else if (!quote && `"'\``.includes(letter) && !isLetter(at)) quote = letter;
    else if (!quote && letter === '>' && source[at + 1] === '>') {
      parts.push(source.slice(start, at));
      start = ++at + 1;
    }
  }
  return [...parts, source.slice(start)];
};

const isQuoted = text => text.length > 1 && (text[0] === '"' || text[0] === "'") && text.at(-1) === text[0];

const engineOf = part => {
  const text = part.trim();
  const named = /^([-\w+:*]+)\s*=([^]*)$/.exec(text);
  if (named) return [named[1], named[2]];
  if (isQuoted(text)) return ['text', text];
  return [/^\(*\/\//.test(text) || text.startsWith('..') ? 'xpath' : 'css', text];
};

const queryText = (source, scope, query) => {
  const pattern = /^\/([^]+)\/(\w*)$/.exec(source);
  const isStrict = isQuoted(source);
  const matches = pattern ? matchesText(pattern[1], pattern[2]) : isStrict ? isText(unquote(source)) : containsText(source);
  const own = scope.root.nodeType === Node.ELEMENT_NODE ? [scope.root] : [];
  return [...own, ...select(scope, '*')].filter(element => {
    const found = matchText(element, matches, query.texts);
    return found === 'self' || (isStrict && found === 'more');
  });
};

const queryXPath = (source, { root }) => {
  const path = source.startsWith('/') && root.nodeType !== Node.DOCUMENT_NODE ? `.${source}` : source;
  const found = document.evaluate(path, root, null, XPathResult.ORDERED_NODE_SNAPSHOT_TYPE);
  const nodes = Array.from({ length: found.snapshotLength }, (_, index) => found.snapshotItem(index));
  return nodes.filter(node => node.nodeType === Node.ELEMENT_NODE);
};

const byAttribute = name => (source, scope) => select(scope, `[${name}=${JSON.stringify(source)}]`);

const ENGINES = {
  css: (source, scope, query) => queryList(parseCss(source), scope, query),
  text: queryText,
  xpath: queryXPath,
  role: queryRole,
  id: byAttribute('id'),
  'data-testid': byAttribute('data-testid'),
  'data-test-id': byAttribute('data-test-id'),
  'data-test': byAttribute('data-test'),
  visible: (source, { root }) =>
    root.nodeType === Node.ELEMENT_NODE && isVisible(root) === (source === 'true') ? [root] : [],
};

// All elements that match, in Playwright's order.
const queryAll = source => {
  const query = { texts: new Map(), scores: new Map() };
  let roots = [document];
  for (const part of split(source)) {
    const [name, body] = engineOf(part);
    if (name === 'nth') {
      roots = roots.slice(...(Number(body) === -1 ? [-1] : [Number(body), Number(body) + 1]));
      continue;
    }
    const [engine, light] = name.split(':');
    if (!Object.hasOwn(ENGINES, engine) || (light !== undefined && light !== 'light')) {
      throw new Unfit(`there is no selector engine "${name}": ${source}`);
    }
    const found = roots.map(root => ENGINES[engine](body, { root, pierces: light === undefined }, query));
    roots = [...new Set(found.flat())];
  }
  return roots.filter(root => root.nodeType === Node.ELEMENT_NODE);
};

// The first one. What the browser itself can't read is unfit, too.
const first = source => {
  try {
    return queryAll(source)[0] ?? null;
  } catch (cause) {
    if (cause instanceof Unfit || cause instanceof DOMException || cause instanceof SyntaxError) throw new Unfit(cause.message);
    throw cause;
  }
};
