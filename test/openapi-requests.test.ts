import { beforeAll, expect, it, vi } from 'vitest';
import { ROUTES } from '../functions/routes.ts';
import { fileNameOf, type ListedRoute } from '../shared/http/rows/route.ts';
import { log } from '../shared/runtime/logger.ts';
import { PATHS, REQUESTS } from './aws/route-requests.ts';
import { call, createTestAccount, type TestAccount, type TestRequest } from './support/app.ts';
import { isFew } from './support/cases.ts';
import { compiled, document, type Json } from './support/openapi-document.ts';
import { useApp } from './support/use-app.ts';

const app = useApp();
beforeAll(() => {
  // Times of REQUESTS are counted from now.
  vi.useFakeTimers({ toFake: ['Date'], now: app.clock.nowMs });
  vi.stubEnv('MAIL_DOMAIN', 'mail.example.com');
  // Every refused request has a line, and a spy would keep them.
  const { info } = log;
  log.info = () => {};
  return () => {
    vi.unstubAllEnvs();
    log.info = info;
  };
});

type Place = 'path' | 'query' | 'body';
type Step = string | number;
/** A value in a request, with what the document says of it. */
type Leaf = { place: Place; steps: Step[]; schema: Json; isRequired: boolean };

const asJson = (value: unknown): Json => (typeof value === 'object' && value !== null ? (value as Json) : {});
const resolve = (schema: unknown): Json => {
  const { $ref, ...rest } = asJson(schema);
  const name =
    String($ref ?? '')
      .split('/')
      .at(-1) ?? '';
  return $ref === undefined ? rest : { ...resolve(document.components.schemas[name]), ...rest };
};

const isAllowed = (schema: Json, value: unknown): boolean => compiled(schema)(value);

const TEXTS = [
  ...'a ada A-b_c.d ü☂ 0 7 100 101 0007 1.5 -1 <b> . .. now 8 08:00 24:00 25:00 Monday sun Moonday de pt-BR de-x-a x d_e'.split(
    ' ',
  ),
  ...'https://example.com/a http://example.com/ ftp://example.com/ example.com ada@example.com ada@ @x +14155550123'.split(
    ' ',
  ),
  ...'Europe/Berlin Mars/Olympus! P1D PT30M P1Y myapp true false EMAIL instant SECRET'.split(' '),
  ...'2027-01-31T08:30:00Z 2027-01-31 2027-01-31T08:30 31.1.2027'.split(' '),
  ...['a b', '{{ a }}', '8:00 am', 'Ada <ada@example.com>', 'My App'],
  ...['', ' ', ' a', 'a ', 'a\u0000b', 'a\u200eb', 'a\nb', '\u001f'],
];
/** Texts of each kind: words, numbers, truth values, dates, templates, links, and what is trimmed or rejected. */
const FEW = [
  ...'a ü☂ 0 1 7 EMAIL true 2027-01-31 {{x}} <b> https://example.com/a Europe/Berlin'.split(' '),
  ...['a b', '', ' ', ' a', 'a\u0000b', 'a\u200eb', 'a\nb', '\u001f'],
];
const OTHERS = [0, 1, -1, 1.5, 2 ** 53, 1e300, true, false, null, {}, [], { a: 1 }, ['a'], ['EMAIL'], [1]];

/** Values at the limits of a schema, and of every other form. */
function valuesFor({ place, schema }: Leaf): unknown[] {
  const { maxLength, minimum, maximum, maxItems } = resolve(schema);
  const enums = [
    resolve(schema),
    ...(['anyOf', 'oneOf'] as const).flatMap((key) => (resolve(schema)[key] as unknown[]) ?? []).map(resolve),
  ];
  const listed = enums.flatMap((each) => [
    ...((each.enum as unknown[]) ?? []),
    ...('const' in each ? [each.const] : []),
  ]);
  const length = typeof maxLength === 'number' && maxLength < 5000 ? [maxLength, maxLength + 1] : [];
  const numbers = [minimum, maximum].flatMap((each) =>
    typeof each === 'number' ? [each, each - 1, each + 1] : [],
  );
  // Where no form is asked for, texts are alike: none is allowed, those of a list are, or all.
  const hasForm = enums.some(({ pattern, format }) => pattern !== undefined || format !== undefined);
  const texts = [
    ...(place !== 'body' || hasForm ? TEXTS : FEW),
    ...listed.filter((each) => typeof each === 'string'),
    ...length.map((each) => 'a'.repeat(each)),
  ];
  // Paths and queries have texts only; an empty path segment is another route.
  if (place === 'path')
    return texts.filter((text) => text !== '' && text !== ' ' && !String(text).startsWith('~'));
  // Other spellings of a number or a switch are accepted too.
  if (place === 'query') return texts.filter((text) => !['1', '0', '', '0007'].includes(String(text)));
  const items = typeof maxItems === 'number' && maxItems <= 100 ? [Array(maxItems + 1).fill('a')] : [];
  const { description: _, ...said } = resolve(schema);
  const others = Object.keys(said).length > 0 ? OTHERS : OTHERS.filter((each) => !(Number(each) > 1e9));
  return [...texts, ...others, ...listed, ...numbers, ...items];
}

/** Texts and numbers that a careless parser takes for another kind of value. */
const MISTAKEN: readonly unknown[] = ['a', '0', '1', 'true', '', ' ', '2027-01-31', 0, 1, 1.5];

const kindOf = (value: unknown) => (Array.isArray(value) ? 'list' : typeof value);

/** The wrong values; where no text or no number is allowed, a few of them show it. */
function wrongOf(wrong: readonly unknown[], fine: readonly unknown[]): unknown[] {
  const kinds = new Set([...fine.map(kindOf), 'list', 'object', 'boolean']);
  return wrong.filter((value) => kinds.has(kindOf(value)) || MISTAKEN.includes(value));
}

/** In a query, a number and a switch are texts. */
function isAllowedText({ schema, place }: Leaf, text: unknown): boolean {
  const { type } = resolve(schema);
  if (place === 'body' || type === 'string' || type === undefined) return isAllowed(schema, text);
  if (type === 'boolean') return ['true', 'false'].includes(String(text));
  return /^(0|[1-9]\d*)$/.test(String(text)) && isAllowed(schema, Number(text));
}

/** The values inside of a body: fields, the first entry of a list. */
function leavesOf(schema: Json, steps: Step[], isRequired: boolean, above: string[] = []): Leaf[] {
  const name = String(schema.$ref ?? '');
  if (name && above.includes(name)) return [];
  const within = name ? [...above, name] : above;
  const full = resolve(schema);
  const own: Leaf[] = steps.length > 0 ? [{ place: 'body', steps, schema, isRequired }] : [];
  const choices = (full.anyOf ?? full.oneOf) as unknown[] | undefined;
  const objects = choices
    ? choices
        .map(resolve)
        .filter((each) => each.properties)
        .slice(0, 1)
    : [full];
  const required = (each: Json) => (each.required as string[] | undefined) ?? [];
  const fields = objects.flatMap((each) =>
    Object.entries(asJson(each.properties)).flatMap(([field, inner]) =>
      leavesOf(asJson(inner), [...steps, field], required(each).includes(field), within),
    ),
  );
  const items =
    full.type === 'array' && full.items ? leavesOf(asJson(full.items), [...steps, 0], true, within) : [];
  return [...own, ...fields, ...items];
}

/** The smallest value that the document allows; a text that most checks accept. */
function smallest(schema: unknown): unknown {
  const full = resolve(schema);
  if ('const' in full) return full.const;
  if (full.enum) return (full.enum as unknown[])[0];
  const [choice] = (full.anyOf ?? full.oneOf ?? []) as unknown[];
  if (choice) return smallest(choice);
  const type = Array.isArray(full.type) ? full.type[0] : full.type;
  if (type === 'object') {
    const names = (full.required as string[] | undefined) ?? [];
    return Object.fromEntries(names.map((name) => [name, smallest(asJson(full.properties)[name])]));
  }
  if (type === 'array') return full.minItems ? [smallest(full.items)] : [];
  if (type === 'boolean') return true;
  if (type === 'number' || type === 'integer') return Math.max(1, Number(full.minimum ?? 1));
  return TEXTS.find((text) => isAllowed(full, text)) ?? 'a';
}

/** A copy of `holder` with `value` at the steps; objects and lists on the way are made as the schema has them. */
function withValue(holder: unknown, schema: unknown, [step, ...rest]: Step[], value: unknown): unknown {
  if (step === undefined) return value;
  const full = resolve(schema);
  const choices = (full.anyOf ?? full.oneOf) as unknown[] | undefined;
  const shape = choices
    ? (choices.map(resolve).find((each) => (typeof step === 'number' ? each.items : each.properties)) ?? full)
    : full;
  if (typeof step === 'number') {
    const list = Array.isArray(holder) && holder.length > 0 ? [...holder] : [smallest(shape.items)];
    return list.with(0, withValue(list[0], shape.items, rest, value));
  }
  const isObject = typeof holder === 'object' && holder !== null && !Array.isArray(holder);
  const object = asJson(isObject ? holder : smallest(shape));
  const next = withValue(object[step], asJson(shape.properties)[step], rest, value);
  const { [step]: _, ...others } = object;
  return next === undefined ? others : { ...others, [step]: next };
}

const shownAs = ({ place, steps }: Leaf) =>
  place === 'body'
    ? steps
        .map((step, index) => (typeof step === 'number' ? `[${step}]` : `${index > 0 ? '.' : ''}${step}`))
        .join('')
    : `${place}.${steps[0]}`;

const bodyOf = (id: string) => {
  const operation = Object.values(document.paths)
    .flatMap((methods) => Object.values(methods))
    .find(({ operationId }) => operationId === id);
  const parameters = (operation?.parameters ?? []).map((each) => {
    const name = each.$ref?.split('/').at(-1);
    return name ? (document.components.parameters[name] ?? each) : each;
  });
  return { body: operation?.requestBody?.content['application/json']?.schema, parameters };
};

/** What the document cannot say: the reason of each. */
const UNSAID: readonly [where: RegExp, because: string][] = [
  [/^send\w* query\.locale$/, 'only a dry run has a language'],
  [/(^| |\.)(number|timezone)$/, 'numbers that can exist, and the zones of the tz database'],
  [/^sendSms to$/, 'a number that can exist'],
  [
    /^(listUsers query\.email|listSuppressions query\.address)$/,
    'addresses are normalized before they are checked',
  ],
  [/[ .]to\.(topic|exclude)$/, 'a topic has no other recipient, and exclude needs one'],
  [/ (notifications\[0\]\.)?(sms\.)?from$/, 'the senders of the deployment'],
  [/^saveUser id$|^updateType notificationId$/, 'the ID in the path'],
  [/^saveConsent subNotificationId$/, 'needs a type'],
  [/^createType throttling\.(max|period)$/, 'max, period and unit go together'],
  [/^saveFcmConfig fcmConfig$/, 'the text of a file'],
  [/^saveProviderOrder order$/, "the deployment's providers"],
  [/^updateEnvironment onlyTo/, 'addresses and their domains'],
  [/^saveEventWebhook webhook$/, 'the operator allows hosts'],
];

/** Parts of earlier responses. */
const WORLD = { trackingId: 'x', scheduledId: 'x' };

const tested = new Set<string>();

/** A value for a part of a request. */
type Trial = { leaf: Leaf; value: unknown; what: string };
const trialOf = (leaf: Leaf, value: unknown): Trial => ({ leaf, value, what: String(JSON.stringify(value)) });

/** The path that errors name. */
const pathOf = (leaf: Leaf) => shownAs(leaf).replace(/^notifications\[0\]\.?(?=.)/, '');

/** None of two parts of a request is in the other. */
const isApart = (one: Leaf, other: Leaf) =>
  one.place !== other.place ||
  one.steps.some((step, at) => at < other.steps.length && step !== other.steps[at]);

/** Values of different parts that one request can have. */
function together(trials: readonly Trial[]): Trial[][] {
  const requests: Trial[][] = [];
  for (const trial of trials) {
    const request = requests.find((each) => each.every(({ leaf }) => isApart(leaf, trial.leaf)));
    if (request) request.push(trial);
    else requests.push([trial]);
  }
  return requests;
}

/** Where the service and the document differ. */
async function differencesOf(row: ListedRoute, account: TestAccount): Promise<string[]> {
  const { handler } = await import(`../functions/${row.resource}/${fileNameOf(row.id)}.ts`);
  const { body, parameters } = bodyOf(row.id);
  const { body: made, path, query = {}, headers } = REQUESTS[row.id] ?? {};
  const isSecret = row.access !== 'none' && row.access.callers.includes('secret');
  const isPerson = row.access !== 'none' && row.access.person === true;
  app.tokens.set('a.b.c', 'somebody');
  const values: Record<string, string> = { ...PATHS, locale: 'de', ...path?.(WORLD) };
  const names = [...row.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const base = {
    key: isPerson ? 'a.b.c' : (isSecret ? account.secret : account.public).key,
    headers: { ...(isSecret ? {} : { 'x-user-id': 'ada' }), ...headers?.(WORLD) },
    path: Object.fromEntries(names.map((name) => [name, values[name] || 'x'])),
    query: {
      ...query,
      ...(parameters.some((each) => each.name === 'userId' && each.in === 'query') ? { userId: 'ada' } : {}),
    },
    ...(body ? { body: (made ? made(WORLD) : row.example?.request) ?? {} } : {}),
  };
  const leaves: Leaf[] = [
    ...parameters
      .filter((each) => each.in !== 'header')
      .map(
        ({ name, in: place, required, schema }): Leaf => ({
          place: place as Place,
          steps: [name],
          schema,
          isRequired: required,
        }),
      ),
    ...(body ? leavesOf(body, [], true) : []),
  ];
  const differences: string[] = [];
  const start = await call(handler, base);
  if (start.json?.error?.code === 'INVALID_REQUEST')
    differences.push(`${row.id} rejects its own example: ${start.json.error.message}`);
  /** The response to a request with these values, and the paths of its errors. */
  const ask = async (trials: readonly Trial[]) => {
    let changed: TestRequest = base;
    for (const { leaf, value } of trials) {
      const [step = ''] = leaf.steps;
      changed =
        leaf.place === 'body'
          ? { ...changed, body: withValue(changed.body, body, leaf.steps, value) }
          : {
              ...changed,
              [leaf.place]: value === undefined ? {} : { ...changed[leaf.place], [step]: value },
            };
    }
    const { status, json } = await call(handler, changed);
    // An entry of a bulk request is rejected by itself, with the paths of POST /send.
    const rejected = json?.results?.[0]?.error;
    const error = json?.error ?? rejected;
    const errors: { path: string }[] = error?.errors ?? [];
    const isNamed = ({ leaf }: Trial) => {
      const at = pathOf(leaf);
      return errors.some(
        ({ path: where }) => where === at || where.startsWith(`${at}.`) || where.startsWith(`${at}[`),
      );
    };
    const isRefused = (status === 400 || rejected !== undefined) && error?.code !== 'RESOURCE_NOT_FOUND';
    return { status, code: error?.code, isNamed, isRefused };
  };
  /** Each must be accepted, or each refused: as many in one request as it decides about, the others by themselves. */
  const tryAll = async (trials: readonly Trial[], isFine: boolean): Promise<void> => {
    const [first] = trials;
    if (!first) return;
    const { status, code, isNamed, isRefused } = await ask(trials);
    const isAlone = trials.length === 1;
    const shown = `${row.id} ${pathOf(first.leaf)}: the document ${isFine ? 'allows' : 'forbids'} ${first.what.slice(0, 60)}`;
    if (isFine) {
      if (isAlone && isNamed(first) && code === 'INVALID_REQUEST') differences.push(shown);
      if (isAlone || code === undefined || (status === start.status && code !== 'INVALID_REQUEST')) return;
    } else if (isAlone) {
      if (!isRefused) differences.push(`${shown} (${status} ${code ?? ''})`);
      return;
    }
    const named = isFine || isRefused ? trials.filter(isNamed) : [];
    const others = trials.filter((each) => !named.includes(each));
    if (named.length > 0 && others.length > 0) await tryAll(others, isFine);
    if (named.length > 0 && !isFine) return;
    const left = named.length > 0 && others.length > 0 ? named : trials;
    const half = Math.ceil(left.length / 2);
    await tryAll(left.slice(0, half), isFine);
    await tryAll(left.slice(half), isFine);
  };
  const fineTrials: Trial[] = [];
  const wrongTrials: Trial[] = [];
  for (const leaf of leaves) {
    const at = shownAs(leaf);
    if (UNSAID.some(([where]) => where.test(`${row.id} ${at}`))) continue;
    const { description: _, example: __, ...schema } = resolve(leaf.schema);
    const text = `${leaf.place} ${leaf.place === 'body' ? '' : leaf.steps[0]} ${JSON.stringify(schema)}`;
    const isKnown = isFew || tested.has(text);
    tested.add(text);
    const all = [...new Set(valuesFor(leaf))];
    const fine = all.filter((value) => isAllowedText(leaf, value));
    const forbidden = all.filter((value) => !isAllowedText(leaf, value));
    const wrong = leaf.place === 'body' ? wrongOf(forbidden, fine) : forbidden;
    // The same schema elsewhere is parsed alike: a value of each kind shows that it is the same.
    fineTrials.push(...(isKnown ? fine.slice(0, 1) : fine).map((value) => trialOf(leaf, value)));
    wrongTrials.push(...(isKnown ? wrong.slice(0, 1) : wrong).map((value) => trialOf(leaf, value)));
    if (leaf.place === 'body' && leaf.isRequired && typeof leaf.steps.at(-1) === 'string')
      wrongTrials.push({ leaf, value: undefined, what: 'nothing' });
    if (!isKnown && schema.additionalProperties === false)
      wrongTrials.push(trialOf({ ...leaf, steps: [...leaf.steps, 'unknownField'] }, 1));
  }
  for (const each of together(fineTrials)) await tryAll(each, true);
  for (const each of together(wrongTrials)) await tryAll(each, false);
  const response =
    body && (await call(handler, { ...base, body: { ...asJson(base.body), unknownField: 1 } }));
  if (
    response &&
    resolve(body).additionalProperties === false &&
    response.status !== 400 &&
    resolve(body).type === 'object'
  )
    differences.push(`${row.id} accepts an unknown field`);
  return differences;
}

/** Callers without a credential are browsers that follow links, and providers. */
const ROWS = ROUTES.filter(({ access }) => access !== 'none');

it.each(ROWS.map(({ id }) => id))(
  '%s accepts what the document allows, and rejects what it forbids',
  async (id) => {
    const row = ROWS.find((each) => each.id === id);
    if (!row) throw new Error(`${id} is no operation`);
    expect(await differencesOf(row, await createTestAccount(app))).toEqual([]);
  },
);
