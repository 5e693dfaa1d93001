import { posix } from 'node:path';
import { expect, it } from 'vitest';
import { createClient } from '../../client/src/client.ts';
import { handler as send } from '../../functions/sending/send.ts';
import { handler as saveUser } from '../../functions/users/save-user.ts';
import { requestOf } from '../../scripts/mcp/mcp-tools.ts';
import {
  componentPath,
  defaultsPath,
  templatePath,
  typePath,
} from '../../scripts/templates/template-files.ts';
import { call } from '../support/app.ts';
import { useAccount, useApp } from '../support/use-app.ts';

const account = useAccount(useApp());
const DOTS = ['.', '..'];
const PROBLEM = 'must not be . or .., which a URL cannot contain';

it.each(DOTS)('the ID %s is rejected in bodies and paths', async (id) => {
  const { key } = account.secret;
  const inBody = await call(send, {
    key,
    body: { type: id, to: { id }, email: { subject: 's', html: 'h' } },
  });
  expect([inBody.status, inBody.json.error.message]).toEqual([
    400,
    `body.type ${PROBLEM}; body.to.id ${PROBLEM}.`,
  ]);
  const inPath = await call(saveUser, { key, path: { userId: id }, body: {} });
  expect([inPath.status, inPath.json.error.message]).toEqual([400, `path.userId ${PROBLEM}.`]);
});

it.each(DOTS)('an ID %s cannot lead a client to another endpoint', async (id) => {
  const paths: string[] = [];
  const client = createClient({
    baseUrl: 'https://notify.example.com',
    key: 'nds_sk_test',
    fetch: async (input) => {
      paths.push(String(input));
      return Response.json({});
    },
  });
  expect(() => client.users.get(id)).toThrow(`userId must not be ${id}`);
  expect(paths).toEqual([]);
  const tool = { method: 'GET', path: '/users/{userId}/topics', queryNames: [] } as never;
  expect(() => requestOf(tool, { userId: id })).toThrow('userId must be an ID.');
});

it.each(DOTS)('an ID %s cannot lead a pulled template out of its folder', (id) => {
  const paths = [
    ...[typePath(id), componentPath(id), defaultsPath(id, 'EMAIL')],
    ...[templatePath(id, 'EMAIL', id), templatePath(id, 'EMAIL', id, 'de')],
  ];
  for (const path of paths) expect(posix.join('/folder', path)).toBe(`/folder/${path}`);
});
