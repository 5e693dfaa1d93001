/** Gmail shows no more of an email than this. */
const SHOWN_BYTES = 102 * 1024;
const UNREAD = /<(style|script|head|title)\b[^>]*>[\s\S]*?<\/\1\s*>|<!--[\s\S]*?-->|<[^>]*>|&nbsp;/gi;

/** What readers of an email would miss. */
export function readingProblems(html: string): string[] {
  const isSilent = html.replace(UNREAD, '').trim() === '' && !/\balt\s*=\s*(?:"[^"]+"|'[^']+')/i.test(html);
  return [
    ...(Buffer.byteLength(html) > SHOWN_BYTES ? ['Gmail cuts it, because its html is over 102 KB.'] : []),
    ...(isSilent ? ['it says nothing while images are off.'] : []),
  ];
}
