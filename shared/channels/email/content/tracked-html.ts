import type { LinkTags } from '../../../schemas/fields/link-tags.ts';
import { decodeAttribute, escapeHtml } from './html-entities.ts';
import { type Attribute, htmlAttributes, htmlTokens } from './html-tokens.ts';

/** Addresses that report the opens and clicks of a message. */
export type Tracking = {
  openUrl?: string | undefined;
  /** The address that redirects to `link`; undefined leaves the link unchanged. */
  clickUrl: (link: string, tags: LinkTags) => Promise<string | undefined>;
};

export type TrackedLink = { link: string; tags: LinkTags };

/** Tags of a link, in the format of SES: `name:value;name:value`. */
const TAGS = 'ses:tags';
/** Keeps a link from being tracked, as at SES. */
const NO_TRACK = 'ses:no-track';

/**
 * The html with its http and https links routed through `clickUrl`, and an invisible pixel at the end of the
 * body. The attributes for tracking are removed; everything else is unchanged. Linear in the input's length.
 */
export async function trackedHtml(html: string, { openUrl, clickUrl }: Tracking): Promise<string> {
  const pieces: string[] = [];
  let at = 0;
  let pixelAt: number | undefined;
  for (const token of htmlTokens(html)) {
    if (token.kind !== 'tag') continue;
    const attributesStart = token.end - 1 - token.attributes.length;
    if (token.name === 'a' && !token.closing) {
      pieces.push(html.slice(at, attributesStart), await trackedAttributes(token.attributes, clickUrl));
      at = token.end - 1;
    } else if (token.name === 'body' && token.closing) {
      const start = attributesStart - '</body'.length;
      pieces.push(html.slice(at, start));
      pixelAt = pieces.length;
      at = start;
    }
  }
  pieces.push(html.slice(at));
  if (openUrl === undefined) return pieces.join('');
  const pixel = `<img src="${escapeHtml(openUrl)}" alt="" width="1" height="1">`;
  return pieces.toSpliced(pixelAt ?? pieces.length, 0, pixel).join('');
}

/** The html, with some links marked so that SES leaves them unchanged. */
export function untrackedHtml(html: string, isLeft: (link: string) => boolean): string {
  let result = '';
  let at = 0;
  for (const token of htmlTokens(html)) {
    if (token.kind !== 'tag' || token.name !== 'a' || token.closing) continue;
    const found = findLink([...htmlAttributes(token.attributes)]);
    if (!found || !isLeft(found.link)) continue;
    const start = token.end - 1 - token.attributes.length;
    result += `${html.slice(at, start)} ${NO_TRACK}`;
    at = start;
  }
  return result + html.slice(at);
}

/** The http and https links of a message's html that are tracked, in order. Linear in the input's length. */
export function* trackedLinks(html: string): Generator<TrackedLink> {
  for (const token of htmlTokens(html)) {
    if (token.kind !== 'tag' || token.name !== 'a' || token.closing) continue;
    const found = findLink([...htmlAttributes(token.attributes)]);
    if (found) yield found;
  }
}

async function trackedAttributes(text: string, clickUrl: Tracking['clickUrl']): Promise<string> {
  const attributes = [...htmlAttributes(text)];
  const href = hrefOf(attributes);
  const found = findLink(attributes);
  const url = found && (await clickUrl(found.link, found.tags));
  let result = '';
  let at = 0;
  for (const each of attributes) {
    if (each.name === TAGS || each.name === NO_TRACK) result += text.slice(at, each.start);
    else if (each === href && url !== undefined)
      result += `${text.slice(at, each.start)}href="${escapeHtml(url)}"`;
    else continue;
    at = each.end;
  }
  return result + text.slice(at);
}

const hrefOf = (attributes: readonly Attribute[]) => attributes.find(({ name }) => name === 'href');

function findLink(attributes: readonly Attribute[]): TrackedLink | undefined {
  const href = hrefOf(attributes);
  if (!href || attributes.some(({ name }) => name === NO_TRACK)) return undefined;
  const link = decodeAttribute(href.value).trim();
  if (!/^https?:\/\//i.test(link) || !URL.canParse(link)) return undefined;
  const tags = attributes.find(({ name }) => name === TAGS)?.value ?? '';
  return { link, tags: linkTagsOf(decodeAttribute(tags)) };
}

function linkTagsOf(text: string): LinkTags {
  const pairs = text.split(';').flatMap((pair) => {
    const [name = '', ...value] = pair.split(':');
    const filled = { name: name.trim(), value: value.join(':').trim() };
    return filled.name && filled.value ? [filled] : [];
  });
  const byName = [...Map.groupBy(pairs, ({ name }) => name)];
  return Object.fromEntries(byName.map(([name, values]) => [name, values.map(({ value }) => value)]));
}
