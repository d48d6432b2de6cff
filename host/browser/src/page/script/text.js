// The text of elements as selectors see it.

// Zero width space and soft hyphen count for nothing, runs of white space for one blank.
const normalise = text => text.replace(/[\u200b\u00ad]/g, '').trim().replace(/\s+/g, ' ');

const hasNoText = element =>
  ['SCRIPT', 'NOSCRIPT', 'STYLE'].includes(element.nodeName) || !!document.head?.contains(element);

// All text of a node, its shadow root's included, and the runs of text that are the node's own. `cache` lives for one query.
const textOf = (node, cache) => {
  const known = cache.get(node);
  if (known) return known;
  const text = { full: '', own: [] };
  cache.set(node, text);
  if (node.nodeType === Node.ELEMENT_NODE && hasNoText(node)) return text;
  if (node instanceof HTMLInputElement && ['submit', 'button', 'reset'].includes(node.type)) {
    text.full = node.value;
    text.own = [node.value];
    return text;
  }
  let run = '';
  const endRun = () => {
    if (run) text.own.push(run);
    run = '';
  };
  for (const child of node.childNodes) {
    if (child.nodeType === Node.TEXT_NODE) {
      text.full += child.nodeValue;
      run += child.nodeValue;
    } else if (child.nodeType !== Node.COMMENT_NODE) {
      endRun();
      if (child.nodeType === Node.ELEMENT_NODE) text.full += textOf(child, cache).full;
    }
  }
  endRun();
  if (node.shadowRoot) text.full += textOf(node.shadowRoot, cache).full;
  return text;
};

const containsText = wanted => {
  const text = normalise(wanted).toLowerCase();
  return found => normalise(found.full).toLowerCase().includes(text);
};

const isText = wanted => {
  const text = normalise(wanted);
  return found => (!text && !found.own.length) || found.own.some(run => normalise(run) === text);
};

const matchesText = (source, flags) => {
  const pattern = new RegExp(source, flags);
  return found => {
    pattern.lastIndex = 0;
    return pattern.test(found.full);
  };
};

// 'none'; 'self': the smallest element that matches; 'more': something in it matches as well.
const matchText = (element, matches, cache) => {
  if (hasNoText(element) || !matches(textOf(element, cache))) return 'none';
  const inner = [...element.children, ...(element.shadowRoot ? [element.shadowRoot] : [])];
  return inner.some(child => matches(textOf(child, cache))) ? 'more' : 'self';
};

// The text inside quotes of CSS.
const unquote = text =>
  text.slice(1, -1).replace(/\\(?:([0-9a-f]{1,6})\s?|([^]))/gi, (_, code, letter) =>
    code ? String.fromCodePoint(Math.min(parseInt(code, 16), 0x10ffff)) : letter);
