/** The request of a one-word inbound message; `keyword` in capitals. */
export type SmsKeyword = { kind: 'opt_out' | 'opt_in' | 'help'; keyword: string };

const KEYWORDS: ReadonlyMap<string, SmsKeyword['kind']> = new Map([
  ...['STOP', 'STOPALL', 'UNSUBSCRIBE', 'CANCEL', 'END', 'QUIT', 'REVOKE', 'OPTOUT'].map(asEntry('opt_out')),
  ...['START', 'YES', 'UNSTOP'].map(asEntry('opt_in')),
  ...['HELP', 'INFO'].map(asEntry('help')),
]);

function asEntry(kind: SmsKeyword['kind']) {
  return (keyword: string): [string, SmsKeyword['kind']] => [keyword, kind];
}

const ONE_WORD = /^[^\p{L}\p{N}]*(\p{L}+)[^\p{L}\p{N}]*$/u;

/**
 * The keyword that a whole message consists of, in any case, without surrounding punctuation, symbols and
 * spaces; undefined if there is other text. The source is the carriers' own lists (CTIA, Twilio, Telnyx).
 */
export function classifyKeyword(text: string): SmsKeyword | undefined {
  const keyword = ONE_WORD.exec(text)?.[1]?.toUpperCase();
  const kind = keyword === undefined ? undefined : KEYWORDS.get(keyword);
  return keyword === undefined || kind === undefined ? undefined : { kind, keyword };
}
