import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { Marked, type Token, type Tokens } from 'marked';

export const GUIDE = '/guide';
/** Not on the pages: the contract is served at its own address. */
const SERVED: Readonly<Record<string, string>> = { 'docs/openapi.json': '/openapi.json' };
const OUTSIDE = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'CHANGELOG.md',
  'client/README.md',
  'cdk/README.md',
  'cdk/API.md',
  'local/README.md',
];

type Section = { heading: string; anchor: string; text: string };
export type Page = {
  file: string;
  address: string;
  title: string;
  markdown: string;
  html: string;
  sections: Section[];
};
/** The pages that a part of docs/README.md lists, with the text beside each. */
export type Group = { title: string; entries: { address: string; title: string; about: string }[] };
export type Guide = { pages: ReadonlyMap<string, Page>; groups: Group[]; files: ReadonlyMap<string, string> };

export function readGuide(root: string): Guide {
  const below = (folder: string) =>
    existsSync(join(root, folder))
      ? readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile() && entry.name.endsWith('.md'))
          .map((entry) => relative(root, join(entry.parentPath, entry.name)))
          // `npm run test:all` links packages into examples.
          .filter((file) => !file.includes('node_modules'))
      : [];
  const files = new Map<string, string>();
  const documents = [...below('docs'), ...below('examples'), ...OUTSIDE].filter((file) =>
    existsSync(join(root, file)),
  );
  const linked = linksOf(root, documents, files);
  const pages = documents.map((file) => renderPage(file, readFileSync(join(root, file), 'utf8'), linked));
  const index = readFileSync(join(root, 'docs/README.md'), 'utf8');
  const groups = groupsOf(index, (link) => linked('docs/README.md', link));
  return { pages: new Map(pages.map((page) => [page.address, page])), groups, files };
}

type Linked = (file: string, link: string) => string | undefined;

/** Returns the address of what a page links to, and enters files that are not pages in `files`. */
function linksOf(root: string, documents: readonly string[], files: Map<string, string>): Linked {
  const known = new Set(documents);
  return (file, link) => {
    if (/^([a-z]+:|#)/.test(link)) return link;
    const [path = '', anchor] = link.split('#');
    const target = relative(root, resolve(root, dirname(file), path));
    const end = anchor === undefined ? '' : `#${anchor}`;
    if (known.has(target)) return `${addressOf(target)}${end}`;
    if (SERVED[target]) return SERVED[target];
    if (target.startsWith('..') || !statSync(join(root, target), { throwIfNoEntry: false })?.isFile())
      return undefined;
    const address = `${GUIDE}/files/${target}`;
    files.set(address, join(root, target));
    return address;
  };
}

function addressOf(file: string): string {
  if (file === 'docs/README.md') return GUIDE;
  return `${GUIDE}/${file.replace(/^docs\//, '').replace(/\.md$/, '')}`;
}

/** The anchor of a heading, by GitHub's rule. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-');
}

/** Renders a Markdown document; a link without an address becomes its text. */
export function renderPage(file: string, markdown: string, linked: Linked = (_, link) => link): Page {
  const sections: Section[] = [];
  const taken = new Map<string, number>();
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth }) {
        const heading = textOf(tokens);
        const anchor = distinct(anchorOf(heading), taken);
        const inner = this.parser.parseInline(tokens);
        return `<h${depth} id="${anchor}">${inner} <a class="anchor" href="#${anchor}" aria-label="Link to this section">#</a></h${depth}>\n`;
      },
      link({ href, tokens }) {
        const address = linked(file, href);
        const inner = this.parser.parseInline(tokens);
        return address === undefined ? inner : `<a href="${escaped(address)}">${inner}</a>`;
      },
      image: ({ href, text }) => `<img src="${escaped(linked(file, href) ?? '')}" alt="${escaped(text)}">`,
      code: ({ text }) => `<pre tabindex="0"><code>${escaped(text)}</code></pre>\n`,
      table(token) {
        const row = (cells: Tokens.TableCell[], tag: string) =>
          `<tr>${cells.map((cell) => `<${tag}>${this.parser.parseInline(cell.tokens)}</${tag}>`).join('')}</tr>`;
        const body = token.rows.map((cells) => row(cells, 'td')).join('\n');
        return `<div class="table" tabindex="0"><table><thead>${row(token.header, 'th')}</thead><tbody>${body}</tbody></table></div>\n`;
      },
    },
  });
  const tokens = marked.lexer(markdown);
  const numbers = new Map<string, number>();
  for (const token of tokens) {
    if (token.type === 'heading') {
      const heading = textOf(token.tokens ?? []);
      sections.push({ heading, anchor: distinct(anchorOf(heading), numbers), text: '' });
    } else {
      const section = sections.at(-1);
      if (section) section.text += ` ${plainText(token)}`;
    }
  }
  const title = sections[0]?.heading ?? file;
  return { file, address: addressOf(file), title, markdown, html: marked.parser(tokens), sections };
}

/** GitHub numbers headings that repeat an earlier heading. */
function distinct(anchor: string, taken: Map<string, number>): string {
  const count = taken.get(anchor) ?? 0;
  taken.set(anchor, count + 1);
  return count === 0 ? anchor : `${anchor}-${count}`;
}

const textOf = (tokens: readonly Token[]): string =>
  tokens
    .map((token) =>
      'tokens' in token && token.tokens ? textOf(token.tokens) : 'text' in token ? token.text : '',
    )
    .join('');

const plainText = (token: Token): string =>
  token.raw
    .replace(/\]\([^()]*\)/g, ']')
    .replace(/[`*[\]|]|-{3,}/g, ' ')
    .replace(/\s+/g, ' ');

/** Reads which pages the tables of the index list under each heading. */
function groupsOf(index: string, linked: (link: string) => string | undefined): Group[] {
  const groups: Group[] = [];
  for (const token of new Marked().lexer(index)) {
    if (token.type === 'heading' && token.depth === 2)
      groups.push({ title: textOf(token.tokens ?? []), entries: [] });
    if (token.type !== 'table') continue;
    for (const [page, about] of (token as Tokens.Table).rows) {
      const link = page?.tokens.find(({ type }) => type === 'link') as Tokens.Link | undefined;
      const address = link && linked(link.href);
      if (address)
        groups.at(-1)?.entries.push({
          address,
          title: link.text,
          about: plainText({ raw: about?.text ?? '' } as Token),
        });
    }
  }
  return groups.filter(({ entries }) => entries.length > 0);
}

export const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
