/** Something in an email that big mail programs leave out. */
type Rule = {
  name: string;
  /** Its page at caniemail.com, whose tests say who leaves it out. */
  page: string;
  clients: readonly Client[];
} & ({ selector: string } | { css: RegExp });
type Client = 'Gmail' | 'Outlook for Windows';

const BOTH = ['Gmail', 'Outlook for Windows'] as const;
const GMAIL = ['Gmail'] as const;
const OUTLOOK = ['Outlook for Windows'] as const;

/** A property at the start of a declaration. */
const property = (name: string) => new RegExp(String.raw`(?:^|[;{\s])(?:${name})\s*:`, 'i');

const RULES: readonly Rule[] = [
  { name: '<video>', page: 'html-video', clients: BOTH, selector: 'video' },
  { name: '<audio>', page: 'html-audio', clients: BOTH, selector: 'audio' },
  { name: '<svg>', page: 'html-svg', clients: BOTH, selector: 'svg' },
  { name: '<object>', page: 'html-object', clients: BOTH, selector: 'object, embed' },
  { name: '<picture>', page: 'html-picture', clients: BOTH, selector: 'picture' },
  { name: '<link>', page: 'html-link', clients: GMAIL, selector: 'link[rel~="stylesheet" i]' },
  { name: 'srcset', page: 'html-srcset', clients: BOTH, selector: '[srcset]' },
  { name: '<form>', page: 'html-form', clients: OUTLOOK, selector: 'form, input, select, textarea' },
  { name: 'SVG images', page: 'image-svg', clients: BOTH, selector: 'img[src*=".svg" i]' },
  {
    name: 'Images in the HTML (data:)',
    page: 'image-base64',
    clients: BOTH,
    selector: 'img[src^="data:" i]',
  },
  { name: 'WebP images', page: 'image-webp', clients: OUTLOOK, selector: 'img[src*=".webp" i]' },
  {
    name: 'display: flex',
    page: 'css-display-flex',
    clients: OUTLOOK,
    css: /display\s*:\s*(?:inline-)?flex/i,
  },
  {
    name: 'display: grid',
    page: 'css-display-grid',
    clients: OUTLOOK,
    css: /display\s*:\s*(?:inline-)?grid/i,
  },
  { name: 'position', page: 'css-position', clients: BOTH, css: property('position') },
  { name: 'float', page: 'css-float', clients: OUTLOOK, css: property('float') },
  {
    name: 'background-image',
    page: 'css-background-image',
    clients: OUTLOOK,
    css: /(?:^|[;{\s])background(?:-image\s*:|\s*:[^;}]{0,200}url\()/i,
  },
  { name: 'border-radius', page: 'css-border-radius', clients: OUTLOOK, css: property('border-radius') },
  { name: 'box-shadow', page: 'css-box-shadow', clients: BOTH, css: property('box-shadow') },
  { name: '@media', page: 'css-at-media', clients: OUTLOOK, css: /@media\b/i },
  { name: '@font-face', page: 'css-at-font-face', clients: GMAIL, css: /@font-face\b/i },
  { name: '@import', page: 'css-at-import', clients: GMAIL, css: /@import\b/i },
  { name: 'animation', page: 'css-animation', clients: BOTH, css: property('animation(?:-name)?') },
  { name: 'CSS variables', page: 'css-variables', clients: BOTH, css: /var\(\s*--/i },
  { name: 'transform', page: 'css-transform', clients: BOTH, css: property('transform') },
  { name: 'filter', page: 'css-filter', clients: BOTH, css: property('filter') },
  { name: 'gap', page: 'css-gap', clients: OUTLOOK, css: property('(?:row-|column-)?gap') },
  { name: 'rem', page: 'css-unit-rem', clients: OUTLOOK, css: /:[^;{}]{0,200}?\drem\b/i },
];

/** Gmail leaves out a style element that is longer, and cuts an email off. */
const STYLE_LENGTH_MAX = 16 * 1024;
const GMAIL_BYTES_MAX = 102 * 1024;

export type Finding = { name: string; clients: string; source: string };

/** What Gmail and Outlook leave out of an email, read without rendering it. */
export function checkHtml(html: string): Finding[] {
  const page = new DOMParser().parseFromString(html, 'text/html');
  const styles = [...page.querySelectorAll('style')].map(({ textContent }) => textContent ?? '');
  const css = [
    ...styles,
    ...[...page.querySelectorAll('[style]')].map((each) => each.getAttribute('style') ?? ''),
  ];
  const isIn = (rule: Rule) =>
    'css' in rule ? css.some((text) => rule.css.test(text)) : page.querySelector(rule.selector) !== null;
  const found = RULES.filter(isIn).map(({ name, page: source, clients }) => finding(name, clients, source));
  if (styles.some(({ length }) => length > STYLE_LENGTH_MAX))
    found.push(finding('A style element of more than 16 KB', GMAIL, 'html-style'));
  if (new TextEncoder().encode(html).length > GMAIL_BYTES_MAX)
    found.push(finding('What comes after the first 102 KB', GMAIL, 'html-body'));
  return found;
}

const finding = (name: string, clients: readonly Client[], page: string): Finding => ({
  name,
  clients: clients.join(', '),
  source: `https://www.caniemail.com/features/${page}/`,
});
