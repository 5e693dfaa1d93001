/** What an inbound message asks for by its one word; `keyword` in capitals. */
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
 * The keyword that a whole message is, in any case, with punctuation, symbols and spaces around it left out;
 * undefined when it says more, or something else. Carriers' own lists are the source (CTIA, Twilio, Telnyx).
 */
export function classifyKeyword(text: string): SmsKeyword | undefined {
  const keyword = ONE_WORD.exec(text)?.[1]?.toUpperCase();
  const kind = keyword === undefined ? undefined : KEYWORDS.get(keyword);
  return keyword === undefined || kind === undefined ? undefined : { kind, keyword };
}
