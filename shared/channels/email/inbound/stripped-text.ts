/** The library takes seconds for thousands of them. */
const BLANK_LINES = /(?:\r?\n[ \t]*){3,}/g;
const NAME = String.raw`\n[ \t]*[\p{L}\p{M}][\p{L}\p{M} ]{0,24}[:：]`;
/** How mail programs of any language repeat an email: its sender, its date and its recipient on lines of their own. */
const HEADERS = new RegExp(
  String.raw`(?:\n[-_=]{3,}[^\n]*)?${NAME}(?=[^\n]*@)[^\n]*${NAME}(?=[^\n]*\d{4})[^\n]*${NAME}[\s\S]*$`,
  'u',
);
/** A line that introduces a quote: a time, who wrote, and a colon at its end. */
const INTRODUCTION =
  /\n(?=[^\n]*\d[:.]\d\d)(?=[^\n]*(?:@|wrote|schrieb|écrit|escribió|scritto|escreveu|schreef|skrev|pisze|напис|пишет|[写寫]道))[^\n]*[:：][^\p{L}\p{N}\n:：]*\n[\s\S]*$/u;
/** Between the name and the address in it, programs break the line. */
const BROKEN = /<[ \t]*\n[ \t]*(?=[^\s<>]+@[^\s<>]+>)/g;
/** What is left of it above a quote, in a language that the library does not know. */
const LAST_LINE = /\n(?=[^\n]*(?:@|\d[:.]\d\d))[^\n]*[:：][^\p{L}\p{N}\n:：]*$/u;

/** What the author of a text wrote, without quotes and signature. */
export async function strippedTextOf(text: string): Promise<string> {
  const { default: ReplyParser } = await import('email-reply-parser');
  const short = text.replace(BLANK_LINES, '\n\n').replace(BROKEN, '<');
  const above = `\n${short}`.replace(HEADERS, '');
  const own = /^>/m.test(above) ? above : above.replace(INTRODUCTION, '');
  const visible = new ReplyParser().read(own.trim()).getVisibleText().trim();
  return (visible.length < own.trim().length ? `\n${visible}`.replace(LAST_LINE, '') : visible).trim();
}
