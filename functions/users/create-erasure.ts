import { environments } from '../../shared/database/entities/accounts/environments.ts';
import { userList } from '../../shared/database/entities/users/user-list.ts';
import { endpoint } from '../../shared/http/endpoint/endpoint.ts';
import { fieldsOf } from '../../shared/http/problems/check.ts';
import { contactProblemsAt, normalizeContact } from '../../shared/http/problems/contact.ts';
import { actorOf } from '../preferences/choose.ts';
import { reachOf } from './erasure/reach.ts';
import { erasureDependencies, startErasure } from './erasure/start-erasure.ts';
import { createErasureRoute } from './routes.ts';

export const handler = endpoint(
  createErasureRoute,
  { ...erasureDependencies, environments, userList },
  async ({ environments, userList, caller, body, request, ...deps }) => {
    const { accountId } = caller;
    const named = { userId: body.userId, ...normalizeContact(body) };
    const { people, addresses } = await reachOf({ ...deps, environments, userList }, caller, named);
    const by = { atMs: request.receivedAtMs, askedBy: actorOf(caller), addresses };
    const erasures = [];
    for (const { environmentId, userId, ...how } of people) {
      const person = { environmentId, userId };
      const progress = await startErasure(deps, { accountId, ...person }, { ...by, ...how });
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
  'copies (cc, bcc) of emails to other users that an earlier release sent, until their logs expire',
  'messages from former addresses of the person that the request does not name',
  'backups of the table and messages in dead-letter queues, until they expire',
  'what providers keep themselves',
];
