import { CognitoIdentityProviderClient } from '@aws-sdk/client-cognito-identity-provider';
import { SESv2Client } from '@aws-sdk/client-sesv2';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createCognitoIdentity } from '../../../../shared/services/identity/cognito.ts';
import { type FakeReply, type HttpFake, startHttpFake } from '../../../support/fakes/http-fake.ts';

let server: HttpFake;
let calls: { operation: string; body: Record<string, unknown> }[] = [];
let replies: Record<string, FakeReply | (() => FakeReply)> = {};
beforeAll(async () => {
  server = await startHttpFake(({ path, headers, body }) => {
    const target = String(headers['x-amz-target'] ?? path);
    const operation = target.split('.').at(-1) ?? '';
    calls.push({ operation, body: JSON.parse(body.toString('utf8')) });
    const reply = replies[operation] ?? { status: 200, body: { User: {} } };
    return typeof reply === 'function' ? reply() : reply;
  });
});
beforeEach(() => {
  calls = [];
  replies = {};
});
afterAll(() => server.close());

const SES_PATH = '/v2/email/outbound-emails';
function identityWith(options: { mailFrom?: string; signInUrl?: string } = {}) {
  const credentials = { accessKeyId: 'a', secretAccessKey: 'b' };
  const client = { region: 'eu-central-1', endpoint: server.url, credentials, maxAttempts: 1 };
  return createCognitoIdentity({
    cognito: new CognitoIdentityProviderClient(client),
    ses: new SESv2Client(client),
    userPoolId: 'eu-central-1_pool',
    mailFrom: options.mailFrom ?? 'team@example.com',
    signInUrl: options.signInUrl,
  });
}
const invitation = { email: 'grace@example.com', accountName: 'Läden', token: 'a+b.c' };
const failure = (status: number, name: string): FakeReply => ({
  status,
  headers: { 'content-type': 'application/x-amz-json-1.1', 'x-amzn-errortype': name },
  body: { __type: name, message: 'no' },
});

describe('Cognito as identity provider', () => {
  it('creates the person and emails the invitation, revealing nothing', async () => {
    const revealed = await identityWith({ signInUrl: 'https://app.example.com/in' }).invite(invitation);
    expect(revealed).toEqual({});
    const [created, mailed] = calls;
    expect(created).toMatchObject({
      operation: 'AdminCreateUser',
      body: {
        UserPoolId: 'eu-central-1_pool',
        Username: 'grace@example.com',
        DesiredDeliveryMediums: ['EMAIL'],
      },
    });
    expect(mailed?.operation).toBe(SES_PATH);
    expect(mailed?.body).toMatchObject({
      FromEmailAddress: 'team@example.com',
      Destination: { ToAddresses: ['grace@example.com'] },
    });
    expect(JSON.stringify(mailed?.body)).toContain('https://app.example.com/in?invitation=a%2Bb.c');
  });

  it('registers a person by the subject of their tokens, even if they are already in the pool', async () => {
    const attributes = [
      { Name: 'email', Value: 'grace@example.com' },
      { Name: 'sub', Value: 'sub-7' },
    ];
    replies.AdminCreateUser = { status: 200, body: { User: { Attributes: attributes } } };
    expect(await identityWith().register({ email: 'grace@example.com' })).toEqual({ subject: 'sub-7' });
    replies.AdminCreateUser = failure(400, 'UsernameExistsException');
    replies.AdminGetUser = { status: 200, body: { UserAttributes: attributes } };
    expect(await identityWith().register({ email: 'grace@example.com' })).toEqual({ subject: 'sub-7' });
    expect(calls.map(({ operation }) => operation)).toEqual([
      'AdminCreateUser',
      'AdminCreateUser',
      'AdminGetUser',
    ]);
  });

  it.each([
    ['confirmed', 'grace@example.com', 'true', true],
    ['confirmed in another letter case', 'Grace@Example.com', 'true', true],
    ['another', 'ada@example.com', 'true', false],
    ['not confirmed', 'grace@example.com', 'false', false],
  ])(
    'knows whether an address is the confirmed one of a person: %s',
    async (_, Value, verified, expected) => {
      const UserAttributes = [
        { Name: 'email', Value },
        { Name: 'email_verified', Value: verified },
      ];
      replies.AdminGetUser = { status: 200, body: { UserAttributes } };
      const person = { subject: 'sub-1', email: 'grace@example.com' };
      expect(await identityWith().hasEmail(person)).toBe(expected);
      expect(calls[0]?.body).toMatchObject({ Username: 'sub-1' });
      replies.AdminGetUser = failure(400, 'UserNotFoundException');
      expect(await identityWith().hasEmail(person)).toBe(false);
      replies.AdminGetUser = failure(400, 'TooManyRequestsException');
      await expect(identityWith().hasEmail(person)).rejects.toMatchObject({ code: 'PROVIDER_ERROR' });
    },
  );

  it('tells the former address of a change', async () => {
    await identityWith().reportChange({ email: 'old@example.com', newEmail: 'new@example.com' });
    expect(calls[0]?.body).toMatchObject({ Destination: { ToAddresses: ['old@example.com'] } });
    expect(JSON.stringify(calls[0]?.body)).toContain('new@example.com');
  });

  it('invites a person who can already sign in', async () => {
    replies.AdminCreateUser = failure(400, 'UsernameExistsException');
    await identityWith().invite(invitation);
    expect(JSON.stringify(calls.at(-1)?.body)).toContain('Your invitation: a+b.c');
  });

  it.each(['FORCE_CHANGE_PASSWORD', 'CONFIRMED', 'RESET_REQUIRED', 'EXTERNAL_PROVIDER'])(
    'sends a new first password to a person who has never used theirs, not to one who is %s',
    async (UserStatus) => {
      replies.AdminCreateUser = failure(400, 'UsernameExistsException');
      replies.AdminGetUser = () => {
        replies.AdminCreateUser = { status: 200, body: { User: {} } };
        return { status: 200, body: { UserStatus, UserAttributes: [{ Name: 'sub', Value: 'sub-7' }] } };
      };
      for (const act of ['invite', 'register'] as const) {
        calls = [];
        replies.AdminCreateUser = failure(400, 'UsernameExistsException');
        if (act === 'invite') await identityWith().invite(invitation);
        else expect(await identityWith().register(invitation)).toEqual({ subject: 'sub-7' });
        const again = calls.filter(({ body }) => body.MessageAction !== undefined);
        expect(again).toMatchObject(
          UserStatus === 'FORCE_CHANGE_PASSWORD'
            ? [
                {
                  operation: 'AdminCreateUser',
                  body: { Username: 'grace@example.com', MessageAction: 'RESEND' },
                },
              ]
            : [],
        );
      }
    },
  );

  it("sets a confirmed address as the person's verified one", async () => {
    await identityWith().changeEmail({ subject: 'sub-1', email: 'new@example.com' });
    expect(calls).toEqual([
      {
        operation: 'AdminUpdateUserAttributes',
        body: {
          UserPoolId: 'eu-central-1_pool',
          Username: 'sub-1',
          UserAttributes: [
            { Name: 'email', Value: 'new@example.com' },
            { Name: 'email_verified', Value: 'true' },
          ],
        },
      },
    ]);
  });

  it("reports failures with the service's name and code", async () => {
    replies = {
      AdminCreateUser: failure(400, 'TooManyRequestsException'),
      [SES_PATH]: failure(400, 'MessageRejected'),
    };
    const provider = { code: 'PROVIDER_ERROR' };
    await expect(identityWith().invite(invitation)).rejects.toMatchObject({
      ...provider,
      provider: 'cognito',
      providerCode: 'TooManyRequestsException',
    });
    const link = { email: 'new@example.com', url: 'https://api.example.com/confirm-email/x' };
    await expect(identityWith().confirmEmail(link)).rejects.toMatchObject({
      ...provider,
      provider: 'ses',
      providerCode: 'MessageRejected',
    });
    await expect(identityWith({ mailFrom: '' }).confirmEmail(link)).rejects.toMatchObject({
      providerCode: 'NOT_CONFIGURED',
    });
  });
});
