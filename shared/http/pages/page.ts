import { escapeHtml } from './escape-html.ts';
import type { PageLanguage } from './page-language.ts';

/** A page for a recipient. `body` is HTML whose values are escaped. */
export type Page = {
  heading: string;
  body: string;
  accountName?: string | undefined;
  logo?: string | undefined;
  /** English when absent. */
  language?: Pick<PageLanguage, 'locale' | 'direction'>;
};

const ENGLISH = { locale: 'en', direction: 'ltr' } as const;

/** Renders a page: the account's name or logo, light and dark, phone width, no scripts. */
export function renderPage({ heading, body, accountName = '', logo, language = ENGLISH }: Page): string {
  const direction = language.direction === 'rtl' ? ' dir="rtl"' : '';
  const title = [heading, accountName].filter(Boolean).map(escapeHtml).join(' – ');
  return `<!doctype html>
<html lang="${language.locale}"${direction}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
${brandOf(accountName, logo)}<h1>${escapeHtml(heading)}</h1>
${body}
</main>
</body>
</html>
`;
}

function brandOf(accountName: string, logo: string | undefined): string {
  if (logo !== undefined && /^https:\/\//i.test(logo)) {
    return `<p class="brand"><img src="${escapeHtml(logo)}" alt="${escapeHtml(accountName)}" height="48"></p>\n`;
  }
  return accountName === '' ? '' : `<p class="brand">${escapeHtml(accountName)}</p>\n`;
}

/** Colours are roles; each pair has a contrast of 4.5:1 or more. */
const STYLE = `
:root { color-scheme: light dark;
  --ground: light-dark(#f4f4f6, #131316); --raised: light-dark(#fff, #1f1f24); --line: light-dark(#d6d6dc, #3a3a42);
  --text: light-dark(#1b1b1f, #f2f2f5); --faint: light-dark(#55555f, #b9b9c4);
  --accent: light-dark(#1f4fbf, #a9c1ff); --on-accent: light-dark(#fff, #10131c);
  --error: light-dark(#b42318, #ff9c92); }
* { box-sizing: border-box; }
body { margin: 0; padding: 24px 16px; background: var(--ground); color: var(--text); font: 16px/24px system-ui, sans-serif; }
main { max-width: 560px; margin: 6vh auto 0; padding: 32px 24px; background: var(--raised); border: 1px solid var(--line); border-radius: 6px; overflow-wrap: anywhere; }
.brand { margin: 0 0 24px; font-weight: 600; }
.brand img { display: block; max-width: 100%; height: 48px; object-fit: contain; object-position: left; }
[dir=rtl] .brand img { object-position: right; }
h1 { margin: 0 0 12px; font-size: 24px; line-height: 32px; }
h2 { margin: 24px 0 8px; font-size: 18px; }
p { margin: 0 0 20px; }
a { color: var(--accent); }
fieldset { min-width: 0; margin: 0; padding: 0 0 12px; border: 0; border-top: 1px solid var(--line); }
legend { float: left; width: 100%; padding: 16px 0 8px; font-weight: 600; }
legend + * { clear: both; }
label { display: flex; gap: 16px; overflow-wrap: anywhere; hyphens: auto; align-items: center; justify-content: space-between; margin: 0 0 8px; }
label:has([type=radio]) { flex-direction: row-reverse; justify-content: flex-end; min-height: 44px; margin: 0; }
select, input { flex: 0 0 48%; max-width: 180px; min-width: 0; min-height: 44px; padding: 8px; border: 1px solid var(--faint); border-radius: 6px; background: var(--raised); color: var(--text); font: inherit; }
[type=radio], [type=checkbox] { flex: none; width: 20px; min-height: 20px; margin: 0; accent-color: var(--accent); }
details { margin: 4px 0 0; }
summary { min-height: 44px; padding: 10px 0; color: var(--accent); cursor: pointer; }
.boxes { display: grid; grid-template-columns: repeat(auto-fill, minmax(132px, 1fr)); gap: 0 16px; border: 0; }
.boxes.quiet-channels { grid-template-columns: repeat(auto-fill, minmax(200px, 1fr)); }
.boxes legend { float: none; padding: 8px 0 0; font-weight: 400; color: var(--faint); }
.boxes label { justify-content: start; gap: 12px; min-height: 44px; margin: 0; }
.notice { padding: 12px 16px; border: 1px solid var(--line); border-inline-start: 4px solid var(--accent); border-radius: 6px; }
.notice[role=alert] { border-inline-start-color: var(--error); }
form > button { margin-top: 12px; }
button { min-height: 44px; padding: 8px 24px; border: 1px solid transparent; border-radius: 6px; background: var(--accent); color: var(--on-accent); font: inherit; font-weight: 600; cursor: pointer; }
button.quiet { background: transparent; color: var(--accent); border-color: var(--accent); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.note { margin: 20px 0 0; color: var(--faint); font-size: 14px; line-height: 20px; }
fieldset .note { margin: 8px 0 4px; }
`;
