import type { Page } from 'playwright-core';

/** Everything that a person operates, with what shows its edge, in the page and its shadow roots. */
const UNSEEN = `(() => {
  const all = (root) => [...root.querySelectorAll('*')].flatMap((each) => [each, ...(each.shadowRoot ? all(each.shadowRoot) : [])]);
  const elements = all(document).filter((each) => each.checkVisibility({ visibilityProperty: true, opacityProperty: true }));
  const ground = (each) => getComputedStyle(each).backgroundColor;
  const isSeen = (colour, each) => !/^rgba.*, 0\\)$/.test(colour) && colour !== ground(each);
  const hasEdge = (each) => {
    const style = getComputedStyle(each);
    const sides = ['Top', 'Right', 'Bottom', 'Left'].map((side) =>
      parseFloat(style['border' + side + 'Width']) >= 1 && isSeen(style['border' + side + 'Color'], each));
    const isOutlined = style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 1 && isSeen(style.outlineColor, each);
    return sides.every(Boolean) || isOutlined || style.textDecorationLine.includes('underline');
  };
  const isNative = (each) => getComputedStyle(each).appearance !== 'none' && each.matches('[type=checkbox], [type=radio], [type=range], progress');
  const named = (each) => each.outerHTML.replace(/\\s+/g, ' ').slice(0, 140);
  const signature = (each) => {
    const style = getComputedStyle(each);
    return ['border', 'outline', 'textDecoration', 'backgroundColor'].map((name) => style[name]).join('|');
  };
  const controls = elements.filter((each) => each.matches('button, select, textarea, input, .button, .badge, [role=switch], progress'));
  const noEdge = controls.filter((each) => !isNative(each) && !hasEdge(each)).map((each) => 'no edge: ' + named(each));
  const CHOSEN = '[aria-current]:not([aria-current=false]), [aria-pressed=true], [aria-selected=true], [aria-expanded=true]';
  const chosen = elements.filter((each) => each.matches(CHOSEN));
  const alike = chosen.filter((each) => elements.some((other) => other.localName === each.localName &&
    other.className === each.className && other.parentElement?.className === each.parentElement?.className &&
    !other.matches(CHOSEN) && signature(other) === signature(each))).map((each) => 'looks unchosen: ' + named(each));
  return [...noEdge, ...alike];
})()`;

/** The element that has the focus, and whether a ring shows it. */
const FOCUSED = `(async () => {
  // No selector matches a frame that has the focus.
  let each = document.activeElement?.localName === 'iframe' ? undefined : document.activeElement;
  while (each?.shadowRoot?.activeElement) each = each.shadowRoot.activeElement;
  if (!each || each === document.body) return undefined;
  const ring = each.closest('.cm-editor') ?? each;
  const isShown = () => {
    const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(ring);
    return outlineStyle !== 'none' && (outlineStyle === 'auto' || parseFloat(outlineWidth) >= 2) && !/^rgba.*, 0\\)$/.test(outlineColor);
  };
  // An editor marks its focus a moment later.
  for (let frame = 0; frame < 30 && !isShown(); frame += 1) await new Promise(requestAnimationFrame);
  return { name: each.outerHTML.replace(/\\s+/g, ' ').slice(0, 140), isShown: isShown() };
})()`;

const TABS_MAX = 60;

/** What somebody with forced colours cannot see in a page: edges of controls, what is chosen, where the focus is. */
export async function unseenInForcedColors(page: Page): Promise<string[]> {
  const unseen: string[] = await page.evaluate(UNSEEN);
  const first = new Set<string>();
  for (let count = 0; count < TABS_MAX; count += 1) {
    await page.keyboard.press('Tab');
    const focused: { name: string; isShown: boolean } | undefined = await page.evaluate(FOCUSED);
    if (!focused || first.has(focused.name)) break;
    first.add(focused.name);
    if (!focused.isShown) unseen.push(`no focus ring: ${focused.name}`);
  }
  return unseen;
}
