import { keyring } from '../../shared/database/entities/data-keys.ts';
import { environments } from '../../shared/database/entities/environments.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { environmentAnswer } from './environment-answer.ts';
import { listEnvironmentsRoute } from './routes.ts';

export const handler = endpoint(
  listEnvironmentsRoute,
  { environments, keyring },
  async ({ environments, keyring, caller }) => {
    const all = await environments.listAll(caller.accountId);
    return { environments: await Promise.all(all.map((each) => environmentAnswer(keyring, each))) };
  },
);
