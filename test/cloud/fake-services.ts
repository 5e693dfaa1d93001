import { randomBytes, randomUUID } from 'node:crypto';
import type { FakeReply } from '../support/fakes/http-fake.ts';
import type { Call } from './authorize.ts';
import type { Deployment } from './templates.ts';

/** KMS: a data key's ciphertext names its key and holds the encryption context, which must be the same to decrypt. */
export function dataKeys(deployment: Deployment): (call: Call) => FakeReply {
  const known = new Set(deployment.ofType('AWS::KMS::Key').map(({ arn }) => arn));
  return ({ operation, input }) => {
    const context = JSON.stringify(Object.entries(input.EncryptionContext ?? {}).sort());
    if (operation === 'GenerateDataKey') {
      if (!known.has(input.KeyId)) return failed(400, 'NotFoundException');
      const plain = randomBytes(32).toString('base64');
      const wrapped = Buffer.from(`${input.KeyId} ${plain} ${context}`).toString('base64');
      return { status: 200, body: { KeyId: input.KeyId, Plaintext: plain, CiphertextBlob: wrapped } };
    }
    const [key = '', plain, bound] = Buffer.from(input.CiphertextBlob, 'base64').toString('utf8').split(' ');
    if (operation !== 'Decrypt' || !known.has(key) || bound !== context)
      return failed(400, 'InvalidCiphertextException');
    return { status: 200, body: { KeyId: key, Plaintext: plain } };
  };
}

/** Cognito: the users of a pool by email address. */
export function people(): (call: Call) => FakeReply {
  const users = new Map<string, { Username: string; attributes: Map<string, string> }>();
  const find = (name: string) =>
    users.get(name) ?? [...users.values()].find(({ Username }) => Username === name);
  const attributesOf = (list: { Name: string; Value: string }[] = []) =>
    new Map(list.map(({ Name, Value }) => [Name, Value]));
  return ({ operation, input }) => {
    const found = find(input.Username);
    if (operation === 'AdminCreateUser') {
      if (found) return failed(400, 'UsernameExistsException');
      const sub = randomUUID();
      const made = { Username: sub, attributes: attributesOf(input.UserAttributes).set('sub', sub) };
      users.set(input.Username, made);
      return { status: 200, body: { User: userOf(made, 'Attributes') } };
    }
    if (!found) return failed(400, 'UserNotFoundException');
    if (operation === 'AdminGetUser') return { status: 200, body: userOf(found, 'UserAttributes') };
    for (const [name, value] of attributesOf(input.UserAttributes)) found.attributes.set(name, value);
    return { status: 200, body: {} };
  };
}

function userOf(
  { Username, attributes }: { Username: string; attributes: Map<string, string> },
  field: string,
): object {
  const list = [...attributes].map(([Name, Value]) => ({ Name, Value }));
  return { Username, Enabled: true, UserStatus: 'CONFIRMED', [field]: list };
}

function failed(status: number, name: string): FakeReply {
  return { status, headers: { 'x-amzn-errortype': name }, body: { __type: name, message: name } };
}
