import { environments } from '../../shared/database/entities/environments.ts';
import { userList } from '../../shared/database/entities/user-list.ts';
import type { Contact } from '../../shared/database/keys/user.ts';
import { mailboxOf } from '../../shared/domain/mailbox.ts';
import { fieldsOf } from '../../shared/http/check.ts';
import { contactProblemsAt, normalizeContact } from '../../shared/http/contact.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { actorOf } from '../preferences/choose.ts';
import { createErasureRoute } from './routes.ts';
import { erasureDependencies, startErasure } from './start-erasure.ts';

/** Users who have an address; more than these are found by repeating the request. */
const USERS_MAX = 100;

export const handler = endpoint(
  createErasureRoute,
  { ...erasureDependencies, environments, userList },
  async ({ environments, userList, caller, body, request, ...deps }) => {
    const { accountId } = caller;
    const { email, number } = normalizeContact(body);
    const contacts: Contact[] = [
      ...(email ? [{ kind: 'email' as const, address: email }] : []),
      ...(number ? [{ kind: 'number' as const, address: number }] : []),
    ];
    const addresses = [...(email ? [email, mailboxOf(email)] : []), ...(number ? [number] : [])];
    const all = await environments.listAll(accountId);
    const reached = caller.boundToEnvironment
      ? all.filter(({ environmentId }) => environmentId === caller.environmentId)
      : all;
    const erasures = [];
    for (const { environmentId } of reached) {
      const scope = { accountId, environmentId };
      const pages = await Promise.all(
        contacts.map((contact) => userList.listByContact(scope, contact, { limit: USERS_MAX })),
      );
      const found = pages.flatMap(({ users }) => users.map(({ profile }) => profile.userId));
      // A stranger who wrote in, and a user of a send without an ID, have the address as their ID.
      const userIds = new Set([...(body.userId === undefined ? [] : [body.userId]), ...found, ...addresses]);
      for (const userId of userIds) {
        const request_ = { atMs: request.receivedAtMs, askedBy: actorOf(caller), addresses, isCertain: true };
        const progress = await startErasure(deps, { ...scope, userId }, request_);
        if (progress) erasures.push({ environmentId, userId, ...progress });
      }
    }
    return { erasures, notCovered: NOT_COVERED };
  },
  ({ body }) => {
    const { userId, email, number } = fieldsOf(body);
    const isNamed = [userId, email, number].some((each) => each !== undefined);
    return [
      ...(isNamed ? [] : [{ where: 'body', must: 'must have userId, email or number' }]),
      ...contactProblemsAt('body', { number }),
    ];
  },
);

const NOT_COVERED = [
  'copies (cc, bcc) of emails to other users, which stay in the logs of those users until they expire',
  'former email addresses that the request does not name',
  'backups of the table and messages in dead-letter queues, until they expire',
  'what providers keep themselves',
];
