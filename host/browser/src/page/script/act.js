// Waiting until something can be done with an element, and doing what a script can do.

const frame = () => new Promise(resolve => requestAnimationFrame(resolve));
const pause = time => new Promise(resolve => setTimeout(resolve, time));

// Milliseconds between attempts.
const PAUSES = [0, 20, 100, 100, 500];

// Ways to bring an element into view, one after the other: something may cover the place that it first comes to.
const SCROLLS = [null, { block: 'end', inline: 'end' }, { block: 'center', inline: 'center' }, { block: 'start', inline: 'start' }];

const sameBox = (a, b) => a.x === b.x && a.y === b.y && a.width === b.width && a.height === b.height;

// Whether its box is the same in two frames.
const isStill = async element => {
  await frame();
  const before = element.getBoundingClientRect();
  await frame();
  return sameBox(before, element.getBoundingClientRect());
};

// A point of the element that can be seen, in the middle of its first box.
const pointOf = element => {
  for (const box of element.getClientRects()) {
    const [left, right] = [box.left, box.right].map(x => Math.min(Math.max(x, 0), innerWidth));
    const [top, bottom] = [box.top, box.bottom].map(y => Math.min(Math.max(y, 0), innerHeight));
    if ((right - left) * (bottom - top) > 0.99) return { x: (left + right) / 2, y: (top + bottom) / 2 };
  }
  return null;
};

const topmost = (root, x, y) => {
  const [hit] = root.elementsFromPoint(x, y);
  const inner = hit?.shadowRoot && topmost(hit.shadowRoot, x, y);
  return inner || hit || null;
};

// Whether the mouse meets the element, or something in it, at a point.
const isHit = (element, { x, y }) => {
  for (let hit = topmost(document, x, y); hit; hit = hit.assignedSlot ?? parentOf(hit)) if (hit === element) return true;
  return false;
};

const nameOf = element => `<${element.nodeName.toLowerCase()}${element.id ? ` id="${element.id}"` : ''}>`;

// Attempts until one gives what is wanted: {done}. {wait} says what is still in the way. A page that draws nothing keeps an
// attempt waiting: then it is what the one before found.
const persist = async (budget, attempt) => {
  const end = performance.now() + budget;
  let outcome = { wait: 'the page is busy' };
  const late = pause(budget).then(() => outcome);
  for (let tries = 0; ; tries++) {
    outcome = await Promise.race([attempt(tries), late]);
    const left = end - performance.now();
    if (outcome.done !== undefined || left <= 0) return outcome;
    await pause(Math.min(PAUSES[Math.min(tries, PAUSES.length - 1)], left));
  }
};

// The element that the mouse is on its way to.
let aim = null;

const stateOf = (element, wanted) => {
  if (!element.isConnected) return 'it is not there any more';
  if (wanted.includes('visible') && !isVisible(element)) return 'it is not visible';
  const control = controlOf(element);
  if (wanted.includes('enabled') && isDisabled(control)) return 'it is not enabled';
  if (wanted.includes('enabled') && isInert(control)) return 'it is inert';
  return null;
};

const aimOnce = async (selector, tries) => {
  const element = first(selector);
  if (!element) return { wait: 'nothing matches' };
  const before = stateOf(element, ['visible', 'enabled']);
  if (before) return { wait: before };
  if (!(await isStill(element))) return { wait: 'it does not stand still' };
  const state = stateOf(element, ['visible', 'enabled']);
  if (state) return { wait: state };
  const scroll = SCROLLS[tries % SCROLLS.length];
  if (scroll) element.scrollIntoView({ ...scroll, behavior: 'instant' });
  else element.scrollIntoViewIfNeeded();
  const point = pointOf(element);
  if (!point) return { wait: 'it is outside of the view' };
  const target = buttonAround(element);
  if (!isHit(target, point)) return { wait: `${nameOf(topmost(document, point.x, point.y) ?? document.documentElement)} covers it` };
  aim = target;
  return { done: point };
};

const focusOn = element => {
  const root = element.getRootNode();
  const wasFocused = root.activeElement === element && document.hasFocus();
  if (element.isContentEditable && !wasFocused) root.activeElement?.blur?.();
  // Twice: an element that loses the focus may take it back once.
  element.focus();
  element.focus();
  if (!wasFocused && element instanceof HTMLInputElement) {
    try {
      element.setSelectionRange(0, 0);
    } catch {
      // An input without a selection.
    }
  }
};

const TYPED = ['', 'email', 'number', 'password', 'search', 'tel', 'text', 'url'];
const SET = ['color', 'date', 'time', 'datetime-local', 'month', 'range', 'week'];

const selectAll = element => {
  if (element instanceof HTMLInputElement) {
    element.select();
    element.focus();
  } else if (element instanceof HTMLTextAreaElement) {
    element.selectionStart = 0;
    element.selectionEnd = element.value.length;
    element.focus();
  } else {
    let editor = element;
    while (editor.parentElement?.isContentEditable) editor = editor.parentElement;
    editor.focus();
    getSelection().selectAllChildren(element);
  }
};

// 'set': it is empty now. 'selected': pressing Delete makes it so.
const clearOnce = async selector => {
  const element = first(selector);
  if (!element) return { wait: 'nothing matches' };
  const state = stateOf(element, ['visible', 'enabled']);
  if (state) return { wait: state };
  const control = controlOf(element);
  const readOnly = isReadOnly(control);
  if (readOnly === null) throw new Unfit('the element is no input, textarea or contenteditable element');
  if (readOnly) return { wait: 'it is read-only' };
  const type = control instanceof HTMLInputElement ? control.type : null;
  if (SET.includes(type)) {
    control.focus();
    control.value = '';
    control.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
    control.dispatchEvent(new Event('change', { bubbles: true }));
    return { done: 'set' };
  }
  if (type !== null && !TYPED.includes(type)) throw new Unfit(`an input of type "${type}" can't be emptied`);
  if (type === null && !(control instanceof HTMLTextAreaElement) && !control.isContentEditable) {
    throw new Unfit('the element is no input, textarea or contenteditable element');
  }
  selectAll(control);
  return { done: 'selected' };
};

const waitFor = (selector, budget) =>
  persist(budget, async () => {
    const element = first(selector);
    return element ? { done: element } : { wait: 'nothing matches' };
  });
