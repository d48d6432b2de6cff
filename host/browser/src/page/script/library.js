// What the host calls. Each answers {done}, {wait: why not} or {unfit: why never}.

const guarded = work => async (...given) => {
  try {
    return await work(...given);
  } catch (cause) {
    if (cause instanceof Unfit) return { unfit: cause.message };
    throw cause;
  }
};

let caret = null;

return {
  title: guarded(async () => ({ done: document.title })),

  html: guarded(async most => {
    const doctype = document.doctype ? new XMLSerializer().serializeToString(document.doctype) : '';
    const text = doctype + (document.documentElement?.outerHTML ?? '');
    return text.length > most ? { unfit: 'too large' } : { done: text };
  }),

  text: guarded(async (most, budget) => {
    const body = await waitFor('body', budget);
    if (body.wait) return body;
    const text = body.done.innerText ?? '';
    return text.length > most ? { unfit: 'too large' } : { done: text };
  }),

  // Wait until an element can be clicked. Answers the point.
  aim: guarded((selector, budget) => persist(budget, tries => aimOnce(selector, tries))),

  // Whether the mouse still meets it there.
  isAimed: guarded(async point => ({ done: !!aim?.isConnected && isHit(aim, point) })),

  clear: guarded((selector, budget) => persist(budget, () => clearOnce(selector))),

  focus: guarded(async (selector, budget) => {
    const found = await waitFor(selector, budget);
    if (found.wait) return found;
    focusOn(found.done);
    return { done: true };
  }),

  // Bring an element into view, once it stands still. Answers its box in the document; null: nothing matches.
  frame: guarded(async (selector, budget) => {
    if (!first(selector)) return { done: null };
    return persist(budget, async () => {
      const element = first(selector);
      if (!element) return { wait: 'it is not there any more' };
      if (!(await isStill(element))) return { wait: 'it does not stand still' };
      if (!isVisible(element)) return { wait: 'it is not visible' };
      element.scrollIntoViewIfNeeded();
      const box = element.getBoundingClientRect();
      return { done: { x: box.x + scrollX, y: box.y + scrollY, width: box.width, height: box.height } };
    });
  }),

  // Before an image: fonts are there, and no caret blinks.
  pose: guarded(async () => {
    caret ??= new CSSStyleSheet();
    caret.replaceSync('* { caret-color: transparent !important; }');
    document.adoptedStyleSheets = [...document.adoptedStyleSheets.filter(sheet => sheet !== caret), caret];
    await document.fonts.ready;
    return { done: true };
  }),

  // After it.
  relax: guarded(async () => {
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter(sheet => sheet !== caret);
    return { done: true };
  }),
};
