const WEB_SCHEMES: readonly string[] = ['http', 'https'];

const BASE = 'https://relative.invalid/';

/**
 * True if a recipient may open or load a link: http, https, relative, or one of the account's app schemes. It
 * is parsed as browsers do (https://url.spec.whatwg.org): they ignore case, tabs, line breaks and surrounding
 * control characters.
 */
export function isSafeLink(link: string, appSchemes: readonly string[]): boolean {
  const url = URL.parse(link, BASE);
  if (!url) return false;
  const isRelative = url.protocol === 'https:' && !/^\s*https:/i.test(withoutIgnored(link));
  if (isRelative) return !isSchemeLike(withoutIgnored(link));
  return [...WEB_SCHEMES, ...appSchemes].includes(url.protocol.slice(0, -1));
}

/** True if a template's text may render to a safe link, by what it begins with before its first merge tag. */
export function isSafeLinkStart(text: string, appSchemes: readonly string[]): boolean {
  const [start = ''] = withoutTags(text).split('{{', 1);
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(withoutIgnored(start))?.[1]?.toLowerCase();
  return scheme === undefined || [...WEB_SCHEMES, ...appSchemes].includes(scheme);
}

/** Omits `{% … %}`, in one pass: a pattern would search for the end of each tag again. */
function withoutTags(text: string): string {
  let rest = '';
  let from = 0;
  for (;;) {
    const tag = text.indexOf('{%', from);
    const end = tag < 0 ? -1 : text.indexOf('%}', tag + 2);
    if (end < 0) return rest + text.slice(from);
    rest += text.slice(from, tag);
    from = end + 2;
  }
}

/** Browsers strip controls and spaces at both ends, and tabs and line breaks anywhere. */
function withoutIgnored(link: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that browsers ignore
  return link.replace(/[\t\r\n]/g, '').replace(/^[\u0000-\u0020]+/, '');
}

/** A colon, or an HTML entity that may become one, before the path: harmless as a URL, but not once it is put in HTML. */
function isSchemeLike(link: string): boolean {
  const [beginning = ''] = link.split(/[/?\\]/);
  return /:|&(#|[a-z]+;)/i.test(beginning);
}

/** A link as it is stored of a sensitive notification. */
export const bareLink = (link: string): string => link.replace(/[?#].*$/s, '');
