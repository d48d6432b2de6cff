// What can be said of an element.

const parentOf = element => element.parentElement ?? (element.parentNode instanceof ShadowRoot ? element.parentNode.host : null);

const ancestors = function* (element) {
  for (let one = element; one; one = parentOf(one)) yield one;
};

const closest = (element, selector) => {
  for (const one of ancestors(element)) if (one.matches(selector)) return one;
  return null;
};

const isShownText = node => {
  const range = document.createRange();
  range.selectNode(node);
  const box = range.getBoundingClientRect();
  return box.width > 0 && box.height > 0;
};

const isVisible = element => {
  const style = getComputedStyle(element);
  if (style.display === 'contents') {
    return [...element.childNodes].some(child =>
      child.nodeType === Node.ELEMENT_NODE ? isVisible(child) : child.nodeType === Node.TEXT_NODE && isShownText(child));
  }
  if (!element.checkVisibility() || style.visibility !== 'visible') return false;
  const box = element.getBoundingClientRect();
  return box.width > 0 && box.height > 0;
};

// Roles that aria-disabled, and aria-readonly, mean something for (WAI-ARIA 1.2).
const DISABLED_ROLES = ('application button checkbox columnheader combobox composite grid gridcell group input link listbox ' +
  'menu menubar menuitem menuitemcheckbox menuitemradio option radio radiogroup row rowheader scrollbar searchbox select ' +
  'separator slider spinbutton switch tab tablist textbox toolbar tree treegrid treeitem').split(' ');
const READONLY_ROLES = ('checkbox columnheader combobox grid gridcell listbox radiogroup rowheader searchbox slider spinbutton ' +
  'switch textbox treegrid').split(' ');

const roleOf = element => element.computedRole ?? '';

const isDisabled = element => {
  if (element.matches(':disabled')) return true;
  if (!DISABLED_ROLES.includes(roleOf(element))) return false;
  for (const one of ancestors(element)) {
    const value = one.getAttribute('aria-disabled')?.toLowerCase();
    if (value === 'true' || value === 'false') return value === 'true';
  }
  return false;
};

const isInert = element => {
  for (const one of ancestors(element)) if (one.inert) return true;
  return false;
};

// true, false, or null for an element of which that can't be said.
const isReadOnly = element => {
  if (element.matches('input, textarea, select')) return element.hasAttribute('readonly');
  if (READONLY_ROLES.includes(roleOf(element))) return element.getAttribute('aria-readonly') === 'true';
  return element.isContentEditable ? false : null;
};

// The control that an element inside it stands for: a button or link, or what a label belongs to.
const CONTROLS = 'input, textarea, select';
const isControl = element => element.matches(CONTROLS) || element.isContentEditable;

const buttonAround = element => (isControl(element) ? element : closest(element, 'button, [role=button], a, [role=link]') ?? element);

const controlOf = element => {
  if (isControl(element)) return element;
  const control = closest(element, 'button, [role=button], [role=checkbox], [role=radio]') ?? element;
  const isItself = control.matches(
    'a, button, option, optgroup, [role=link], [role=button], [role=checkbox], [role=radio]') || isControl(control);
  return (isItself ? null : closest(control, 'label')?.control) ?? control;
};
