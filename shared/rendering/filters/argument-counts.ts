/** Fewest and most arguments of a filter, and the names it accepts. */
export type ArgumentCount = { least: number; most: number; names?: readonly string[] | 'any' };

const NONE = { least: 0, most: 0 };
const OPTIONAL = { least: 0, most: 1 };
const ONE = { least: 1, most: 1 };
const ONE_OR_TWO = { least: 1, most: 2 };
const TWO = { least: 2, most: 2 };
const UP_TO_TWO = { least: 0, most: 2 };

const GROUPS: readonly [ArgumentCount, string][] = [
  [NONE, 'escape escape_once xml_escape newline_to_br strip_html strip_newlines squish normalize_whitespace'],
  [NONE, 'abs ceil floor url_encode url_decode cgi_escape uri_escape base64_encode base64_decode sha256'],
  [NONE, 'base64_url_safe_encode base64_url_safe_decode upcase downcase capitalize raw to_integer'],
  [NONE, 'first last reverse size pop shift date_to_xmlschema date_to_rfc822'],
  [NONE, 'strip lstrip rstrip'],
  [OPTIONAL, 'round join sort sort_natural sum compact uniq json jsonify number'],
  [OPTIONAL, 'number_of_words array_to_sentence_string'],
  [ONE, 'append prepend remove remove_first remove_last split plus minus times divided_by modulo at_least'],
  [ONE, 'at_most map group_by concat push unshift money hmac_sha256'],
  [ONE_OR_TWO, 'where reject has find find_index slice replace replace_first'],
  [TWO, 'replace_last'],
  [UP_TO_TWO, 'date date_to_string date_to_long_string truncate truncatewords slugify'],
];

/** The arguments of every filter, by its name. */
export const ARGUMENT_COUNTS: Readonly<Record<string, ArgumentCount>> = {
  ...Object.fromEntries(
    GROUPS.flatMap(([count, names]) =>
      names.split(' ').map((name): [string, ArgumentCount] => [name, count]),
    ),
  ),
  default: { ...OPTIONAL, names: ['allow_false'] },
  datetime: { ...OPTIONAL, names: ['date', 'time'] },
  t: { ...NONE, names: 'any' },
};

/** Why a filter cannot have these arguments; undefined if it can. */
export function argumentProblem(name: string, count: number, names: readonly string[]): string | undefined {
  const allowed = Object.hasOwn(ARGUMENT_COUNTS, name) ? ARGUMENT_COUNTS[name] : undefined;
  if (!allowed) return undefined;
  const { least, most, names: known = [] } = allowed;
  if (count < least) return `the filter "${name}" needs ${least === 1 ? 'a value' : `${least} values`}`;
  if (count > most)
    return `the filter "${name}" accepts ${most === 0 ? 'no value' : `at most ${most} ${most === 1 ? 'value' : 'values'}`}`;
  const isUnknown = known !== 'any' && names.some((each) => !known.includes(each));
  return isUnknown ? `the filter "${name}" accepts no value with this name` : undefined;
}
