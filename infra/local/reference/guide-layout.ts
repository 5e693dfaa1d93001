import { escaped, type Group, GUIDE } from './guide-pages.ts';

const STYLE = `
:root { color-scheme: light dark; --text: light-dark(#1c2127, #e4e7eb); --muted: light-dark(#5a6572, #9aa5b1); --line: light-dark(#dde2e8, #333b45); --back: light-dark(#ffffff, #14181d); --block: light-dark(#f4f6f8, #1d232a); --link: light-dark(#0b5cad, #7db8f0); }
* { box-sizing: border-box; }
body { margin: 0; background: var(--back); color: var(--text); font: 16px/1.6 system-ui, sans-serif; }
a { color: var(--link); } a:hover { text-decoration-thickness: 2px; }
header { display: flex; flex-wrap: wrap; gap: .5rem 1.5rem; align-items: center; padding: .75rem 1.25rem; border-bottom: 1px solid var(--line); }
header a { color: inherit; text-decoration: none; } header a:first-child { font-weight: 650; }
header form { flex: 1 1 14rem; max-width: 24rem; margin-left: auto; }
input { width: 100%; padding: .4rem .7rem; font: inherit; color: inherit; background: var(--block); border: 1px solid var(--line); border-radius: 6px; }
.frame { display: grid; grid-template-columns: 16rem minmax(0, 1fr); max-width: 80rem; margin: 0 auto; }
nav { padding: 1.25rem; border-right: 1px solid var(--line); font-size: .9rem; }
nav strong { display: block; margin: 1rem 0 .25rem; font-weight: 650; } nav ul { list-style: none; margin: 0; padding: 0; }
nav li a { display: block; padding: .2rem 0; color: var(--muted); text-decoration: none; } nav a[aria-current], nav a:hover { color: var(--link); }
main { padding: 1.25rem clamp(1rem, 4vw, 3rem) 5rem; max-width: 56rem; overflow-wrap: break-word; }
h1, h2, h3 { line-height: 1.25; scroll-margin-top: 1rem; } h1 { font-size: 1.9rem; margin-top: .5rem; } h2 { font-size: 1.35rem; margin-top: 2.5rem; } h3 { font-size: 1.08rem; margin-top: 2rem; }
:target { background: light-dark(#fff4c2, #4a3f12); } .anchor { opacity: 0; text-decoration: none; } :is(h1, h2, h3):hover .anchor, .anchor:focus { opacity: 1; }
code { font: .875em/1.5 ui-monospace, monospace; background: var(--block); padding: .1em .3em; border-radius: 4px; }
pre { background: var(--block); border: 1px solid var(--line); border-radius: 8px; padding: .9rem 1rem; overflow-x: auto; } pre code { padding: 0; background: none; }
.table { overflow-x: auto; } table { border-collapse: collapse; font-size: .92rem; min-width: 100%; } th, td { text-align: left; vertical-align: top; padding: .45rem .7rem; border-bottom: 1px solid var(--line); } td { min-width: 7rem; } td code { overflow-wrap: anywhere; }
img { max-width: 100%; height: auto; border: 1px solid var(--line); border-radius: 8px; } blockquote { margin-left: 0; padding-left: 1rem; border-left: 3px solid var(--line); color: var(--muted); }
.found li { margin-bottom: 1rem; } .found p { margin: .15rem 0; color: var(--muted); }
.skip { position: absolute; left: -100rem; } .skip:focus { left: 1rem; }
header .pages { display: none; }
@media (max-width: 800px) { .frame { grid-template-columns: minmax(0, 1fr); } nav { order: 1; border-right: 0; border-top: 1px solid var(--line); } nav li a { padding: .4rem 0; } header .pages { display: inline; } main { padding-bottom: 2rem; } }
`;

type Layout = { title: string; html: string; groups?: readonly Group[]; address?: string; query?: string };

/** Returns a page of the guide; without groups, one that stands alone. It contains no script. */
export function guidePage({ title, html, groups, address = '', query = '' }: Layout): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<title>${escaped(title)}</title>
<style>${STYLE}</style>
</head>
<body>
${groups ? framed(html, groups, address, query) : `<main>${html}</main>`}
</body>
</html>
`;
}

function framed(html: string, groups: readonly Group[], address: string, query: string): string {
  return `<a class="skip" href="#content">Skip to the content</a>
<header>
<a href="${GUIDE}">Documentation</a> <a class="pages" href="#pages">All pages</a> <a href="/docs">API reference</a> <a href="/">Studio</a>
<form action="${GUIDE}/search" role="search"><input type="search" name="q" value="${escaped(query)}" placeholder="Search the documentation" aria-label="Search the documentation"></form>
</header>
<div class="frame">
<nav id="pages" aria-label="Pages">${groups.map((group) => navGroup(group, address)).join('')}</nav>
<main id="content">${html}</main>
</div>`;
}

function navGroup({ title, entries }: Group, address: string): string {
  const items = entries.map((entry) => {
    const current = entry.address === address ? ' aria-current="page"' : '';
    return `<li><a href="${entry.address}"${current}>${escaped(entry.title)}</a></li>`;
  });
  return `<strong>${escaped(title)}</strong><ul>${items.join('')}</ul>`;
}
