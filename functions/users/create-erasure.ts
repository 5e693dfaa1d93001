import { environments } from '../../shared/database/entities/environments.ts';
import { userList } from '../../shared/database/entities/user-list.ts';
import { fieldsOf } from '../../shared/http/check.ts';
import { contactProblemsAt, normalizeContact } from '../../shared/http/contact.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { actorOf } from '../preferences/choose.ts';
import { reachOf } from './reach.ts';
import { createErasureRoute } from './routes.ts';
import { erasureDependencies, startErasure } from './start-erasure.ts';

export const handler = endpoint(
  createErasureRoute,
  { ...erasureDependencies, environments, userList },
  async ({ environments, userList, caller, body, request, ...deps }) => {
    const { accountId } = caller;
    const named = { userId: body.userId, ...normalizeContact(body) };
    const { people, addresses } = await reachOf({ environments, userList }, caller, named);
    const by = { atMs: request.receivedAtMs, askedBy: actorOf(caller), addresses, isCertain: true };
    const erasures = [];
    for (const person of people) {
      const progress = await startErasure(deps, { accountId, ...person }, by);
      if (progress) erasures.push({ ...person, ...progress });
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
