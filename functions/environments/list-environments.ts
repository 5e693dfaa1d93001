import { environments } from '../../shared/database/entities/environments.ts';
import { keyring } from '../../shared/encryption/keyring.ts';
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
