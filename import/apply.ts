import { existsSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import * as v from 'valibot';
import { pathSegmentOf } from '../client/src/path-segment.ts';
import type { Api } from '../scripts/api.ts';
import { CommandError } from '../scripts/command.ts';
import { findJson } from '../shared/runtime/find-json.ts';
import { mapAtMost } from '../shared/runtime/map-at-most.ts';
import type { Contact } from './contact.ts';
import type { ImportedTemplate } from './email-templates.ts';
import type { Summary } from './report.ts';

const USERS_AT_ONCE = 8;
const TRIES_MAX = 8;
const PAUSE_MS = 500;

/** Writes the contacts of a batch: one request per user, then opt-outs, suppressions and the topic. Safe to repeat. */
export async function writeContacts(
  api: Api,
  contacts: readonly Contact[],
  topic: string | undefined,
  summary: Summary,
): Promise<void> {
  const users = [...Map.groupBy(contacts, ({ userId }) => userId)];
  const written = await mapAtMost(USERS_AT_ONCE, users, async ([userId, userChanges]) => {
    const path = pathSegmentOf(userId);
    const rejection = await insist(api, 'POST', `/users/${path}`, userBody(userChanges));
    if (rejection !== undefined) {
      for (const { line } of userChanges) summary.reject(line, rejection);
      return undefined;
    }
    // Opt-outs and suppressions apply to the address that the user has now.
    const { suppression, optOut } = userChanges.findLast(({ email }) => email !== undefined) ?? {};
    if (optOut) {
      const consent = { purpose: 'marketing', channel: 'EMAIL', state: 'withdrawn', source: optOut };
      await insist(api, 'POST', `/users/${path}/consents`, consent);
    }
    if (suppression) await insist(api, 'PUT', `/user_suppression/${path}/channel/EMAIL`, suppression);
    return userId;
  });
  const userIds = written.filter((each) => each !== undefined);
  if (topic !== undefined && userIds.length > 0)
    await insist(api, 'PUT', `/topics/${pathSegmentOf(topic)}/users`, { userIds });
}

/** Suppresses the addresses of a batch, without users. Safe to repeat. */
export async function writeSuppressions(
  api: Api,
  contacts: readonly Contact[],
  summary: Summary,
): Promise<void> {
  await mapAtMost(USERS_AT_ONCE, contacts, async ({ line, email = '', suppression }) => {
    const path = `/suppressions/EMAIL/${pathSegmentOf(email)}`;
    const rejection = await insist(api, 'PUT', path, { reason: suppression?.reason });
    if (rejection !== undefined) summary.reject(line, rejection);
  });
}

/** The user's contact data; of several addresses of one kind, the last one in the file. */
function userBody(contacts: readonly Contact[]): Record<string, unknown> {
  const body: Record<string, unknown> = {};
  const tokens = contacts.flatMap(({ pushToken }) => (pushToken ? [pushToken] : []));
  for (const { email, number, timezone, locale, attributes } of contacts) {
    for (const [name, value] of Object.entries({ email, number, timezone, locale })) {
      if (value !== undefined) body[name] = value;
    }
    if (attributes) body.attributes = { ...Object(body.attributes), ...attributes };
  }
  return tokens.length > 0 ? { ...body, pushTokens: tokens } : body;
}

const Rejected = v.object({ error: v.object({ message: v.string() }) });

/** Calls until the service accepts or rejects: returns why it rejects. Throws if it is out of order for long. */
async function insist(api: Api, method: string, path: string, body: unknown): Promise<string | undefined> {
  for (let attempt = 1; ; attempt += 1) {
    const { status, body: answer } = await api.ask(method, path, body);
    if (status < 300) return undefined;
    const rejected = v.safeParse(Rejected, answer);
    const message = rejected.success ? rejected.output.error.message : `status ${status}`;
    if (status === 401) throw new CommandError(message);
    if (status < 500 && status !== 429) return message;
    if (attempt === TRIES_MAX)
      throw new CommandError(`${message} Repeat the command: it continues where it stopped.`);
    await new Promise((resume) => setTimeout(resume, PAUSE_MS * 2 ** attempt));
  }
}

/** Creates the types and templates, or changes those that differ. */
export async function writeTemplates(api: Api, templates: readonly ImportedTemplate[]): Promise<void> {
  for (const { notificationId, title, content } of templates) {
    const type = pathSegmentOf(notificationId);
    const created = await insist(api, 'POST', '/types', { notificationId, title, channels: ['EMAIL'] });
    const path = `/notifications/${type}/EMAIL/templates`;
    const stored = await api.ask('GET', `${path}/default`);
    const rejection =
      stored.status < 300
        ? await insist(api, 'PATCH', `${path}/default`, content)
        : await insist(api, 'POST', path, { templateId: 'default', ...content });
    if (rejection !== undefined) throw new CommandError(`${notificationId}: ${created ?? ''} ${rejection}`);
  }
}

const State = v.object({
  into: v.string(),
  sizeBytes: v.number(),
  changedAtMs: v.number(),
  done: v.number(),
});

/**
 * The progress of the import of a file, in a file next to it. `into` names the environment and the options: with others, the
 * import starts at the first line.
 */
export function openState(file: string, into: string, { isRestart }: { isRestart: boolean }) {
  const path = `${file}.import.json`;
  const { size: sizeBytes, mtimeMs: changedAtMs } = statSync(file);
  if (isRestart) rmSync(path, { force: true });
  const stored = existsSync(path) ? v.safeParse(State, findJson(readFileSync(path, 'utf8'))) : undefined;
  const state = stored?.success ? stored.output : undefined;
  const isSame = state?.into === into && state.sizeBytes === sizeBytes && state.changedAtMs === changedAtMs;
  return {
    done: isSame ? state.done : 0,
    save: (done: number) => {
      writeFileSync(`${path}.new`, JSON.stringify({ into, sizeBytes, changedAtMs, done }));
      renameSync(`${path}.new`, path);
    },
    remove: () => rmSync(path, { force: true }),
  };
}
