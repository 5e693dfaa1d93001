import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FAILURE_CODES, type FailureCode } from '../../../../shared/schemas/logs/failure-codes.ts';
import { chatError } from '../../../support/fakes/chat.ts';
import type { FakeReply } from '../../../support/fakes/http-fake.ts';
import { limitFor } from '../../../support/fakes/http-fake.ts';
import { startChat } from './start-chat.ts';

const REFUSED: Record<Exclude<FailureCode<'CHAT'>, 'NOT_IN_CHANNEL'>, string> = {
  CHANNEL_NOT_FOUND:
    'channel_not_found user_not_found users_not_found user_not_visible user_disabled team_not_found method_not_supported_for_channel_type',
  CHANNEL_ARCHIVED: 'is_archived',
  MESSAGE_TOO_LONG:
    'msg_too_long msg_blocks_too_long attachment_payload_limit_exceeded metadata_too_large too_many_attachments',
  NO_TEXT: 'no_text',
  RESTRICTED_ACTION:
    'restricted_action restricted_action_read_only_channel restricted_action_thread_only_channel restricted_action_non_threadable_channel restricted_action_thread_locked ekm_access_denied access_denied no_permission accesslimited app_access_restricted messages_tab_disabled cannot_reply_to_message slack_connect_canvas_sharing_blocked slack_connect_file_link_sharing_blocked enterprise_is_restricted',
  TOKEN_EXPIRED: 'token_expired',
  INVALID_AUTH:
    'invalid_auth not_authed token_revoked account_inactive not_allowed_token_type missing_scope org_login_required two_factor_setup_required',
  UNKNOWN:
    'invalid_blocks invalid_blocks_format invalid_metadata_format invalid_arguments something_new toString',
};
const RETRIED =
  'ratelimited rate_limited message_limit_exceeded service_unavailable internal_error fatal_error request_timeout team_added_to_org';
const rows = Object.entries(REFUSED).flatMap(([code, errors]) =>
  errors.split(' ').map((error) => [error, code]),
);

describe('a response of the Web API', () => {
  test.each(rows)('%s is %s', async (error, code) => {
    const { fake, deliver } = await startChat();
    fake.respondWith('chat.postMessage', chatError(error));
    const internal = `chat.postMessage: 200 ${error}`;
    const isOver = ['token_revoked', 'account_inactive'].includes(error);
    const dead = isOver ? { deadTokens: ['xoxb-1'] } : {};
    expect(await deliver()).toEqual({ kind: 'rejected', code, internal, ...dead });
  });

  test.each(RETRIED.split(' '))('%s is retried, and recorded as UNKNOWN in the end', async (error) => {
    const { fake, deliver } = await startChat();
    fake.respondWith('chat.postMessage', chatError(error));
    expect(await deliver()).toMatchObject({ kind: 'retry', code: 'UNKNOWN' });
  });

  const passing: [string, FakeReply, number | undefined][] = [
    ['429 with Retry-After', { status: 429, headers: { 'retry-after': '30' } }, 30],
    ['429 with an absurd Retry-After', { status: 429, headers: { 'retry-after': '99999' } }, 3600],
    ['429 without', { status: 429 }, undefined],
    ['500', { status: 500 }, undefined],
    ['503 with a page', { status: 503, body: '<html>' }, undefined],
    ['200 that cannot be read', { status: 200, body: '<html>' }, undefined],
    ['no answer', 'hang', undefined],
    ['a lost connection', 'drop', undefined],
  ];
  test.each(passing)(
    '%s is retried, and recorded as UNKNOWN in the end',
    async (_name, reply, afterSeconds) => {
      const { fake, deliver } = await startChat(limitFor(reply));
      fake.respondWith('chat.postMessage', reply);
      const outcome = await deliver();
      expect(outcome).toMatchObject({ kind: 'retry', code: 'UNKNOWN' });
      expect(outcome.kind === 'retry' && outcome.afterSeconds).toBe(afterSeconds);
    },
  );

  test('403 from a proxy is recorded as UNKNOWN', async () => {
    const { fake, deliver } = await startChat();
    fake.respondWith('chat.postMessage', { status: 403, body: '<html>' });
    expect(await deliver()).toMatchObject({ kind: 'rejected', code: 'UNKNOWN' });
  });

  test('ok without an ID is not retried', async () => {
    const { fake, deliver } = await startChat();
    fake.respondWith('chat.postMessage', { status: 200, body: { ok: true } });
    expect(await deliver()).toMatchObject({ kind: 'sent' });
  });

  test("leaves the chat provider's error in the record", async () => {
    const { fake, deliver } = await startChat();
    const messages = ['[ERROR] missing required field: type [json-pointer:/blocks/0]'];
    fake.respondWith('chat.postMessage', chatError('invalid_blocks', { response_metadata: { messages } }));
    expect(await deliver()).toMatchObject({
      internal: `chat.postMessage: 200 invalid_blocks ${messages[0]}`,
    });
  });

  test('always has a code that the channel lists', async () => {
    const { fake, deliver } = await startChat();
    const errors = fc.oneof(fc.string(), fc.constantFrom('constructor', 'not_in_channel', 'is_archived'));
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 200, max: 599 }), errors, async (status, error) => {
        // Those have no body, or make fetch ask again.
        const special = [204, 205, 304, 421].includes(status);
        fake.respondWith('chat.postMessage', { status: special ? 200 : status, body: { ok: false, error } });
        fake.respondWith('conversations.join', chatError('missing_scope'));
        const outcome = await deliver();
        expect('code' in outcome && FAILURE_CODES.CHAT).toContain('code' in outcome ? outcome.code : '');
      }),
      { numRuns: 60 },
    );
  });
});

describe('chat content', () => {
  test.each([
    ['no text', {}],
    ['an empty text', { text: '' }],
    ['blocks without text', { blocks: [{ type: 'divider' }] }],
  ])('becomes NO_TEXT with %s and stays unsent', async (_name, content) => {
    const { fake, deliver } = await startChat();
    expect(await deliver({ content })).toMatchObject({ kind: 'rejected', code: 'NO_TEXT' });
    expect(fake.calls).toEqual([]);
  });
});

describe('an incoming webhook', () => {
  test('receives the message when there is no access token', async () => {
    const { fake, deliver, webhook, hooks } = await startChat();
    const outcome = await deliver({ chatToken: { incoming_webhook: webhook }, chatChannel: '' });
    expect(outcome).toEqual({
      kind: 'sent',
      fields: {},
      delivered: { chat_delivered_internal: '{"channel":"C0GENERAL"}' },
    });
    expect(hooks).toEqual([webhook.url]);
    expect(fake.hooked[0]).toMatchObject({ text: 'Shipped' });
    expect(fake.hooked[0]).not.toHaveProperty('channel');
  });

  test('names the channel when the user has none', async () => {
    const { fake, deliver, webhook } = await startChat();
    const chatToken = { access_token: 'xoxb-1', incoming_webhook: webhook };
    await deliver({ chatToken, chatChannel: '' });
    expect(fake.posts.map(({ channel }) => channel)).toEqual(['C0GENERAL']);
  });

  test('takes the message when the webhook names no channel', async () => {
    const { fake, deliver, webhook } = await startChat();
    const chatToken = { access_token: 'xoxb-1', incoming_webhook: { url: webhook.url } };
    expect(await deliver({ chatToken, chatChannel: ' ' })).toMatchObject({ kind: 'sent' });
    expect([fake.posts.length, fake.hooked.length]).toEqual([0, 1]);
  });

  test('takes the message only when the app is not allowed to post to its channel', async () => {
    const { fake, deliver, webhook } = await startChat();
    const chatToken = { access_token: 'xoxb-1', incoming_webhook: webhook };
    fake.respondWith('chat.postMessage', chatError('missing_scope'), chatError('missing_scope'));
    expect(await deliver({ chatToken, chatChannel: '#general' })).toMatchObject({ kind: 'sent' });
    expect(fake.hooked).toHaveLength(1);
    expect(await deliver({ chatToken, chatChannel: '#random' })).toMatchObject({ code: 'INVALID_AUTH' });
    expect(fake.hooked).toHaveLength(1);
  });

  test('does not receive messages for another channel', async () => {
    const { fake, deliver, webhook } = await startChat();
    const chatToken = { incoming_webhook: webhook };
    expect(await deliver({ chatToken, chatChannel: '#random' })).toMatchObject({ code: 'INVALID_AUTH' });
    expect(await deliver({ chatToken, chatChannel: 'general' })).toMatchObject({ kind: 'sent' });
    expect(fake.hooked).toHaveLength(1);
  });

  test.each([
    'https://hooks.slack.com.attacker.example/x',
    'https://attacker.example/hooks.slack.com',
    'http://hooks.slack.com/x',
    'https://hooks.slack.com:8443/x',
    'not a url',
  ])('gets no call at %s', async (url) => {
    const { deliver, hooks } = await startChat();
    const chatToken = { incoming_webhook: { url } };
    expect(await deliver({ chatToken, chatChannel: '' })).toMatchObject({
      kind: 'rejected',
      code: 'UNKNOWN',
    });
    expect(hooks).toEqual([]);
  });

  const refusals: [number, string, string][] = [
    [404, 'channel_not_found', 'CHANNEL_NOT_FOUND'],
    [400, 'user_not_found', 'CHANNEL_NOT_FOUND'],
    [410, 'channel_is_archived', 'CHANNEL_ARCHIVED'],
    [403, 'action_prohibited', 'RESTRICTED_ACTION'],
    [403, 'posting_to_general_channel_denied', 'RESTRICTED_ACTION'],
    [403, 'invalid_token', 'INVALID_AUTH'],
    [404, 'no_service', 'INVALID_AUTH'],
    [404, 'no_active_hooks', 'INVALID_AUTH'],
    [404, 'no_team', 'INVALID_AUTH'],
    [400, 'no_text', 'NO_TEXT'],
    [400, 'too_many_attachments', 'MESSAGE_TOO_LONG'],
    [400, 'invalid_payload', 'UNKNOWN'],
    [302, '<html>', 'UNKNOWN'],
  ];
  test.each(refusals)('maps status %i %s to %s', async (status, body, code) => {
    const { fake, deliver, webhook } = await startChat();
    fake.respondWith('webhook', { status, body });
    const outcome = await deliver({ chatToken: { incoming_webhook: webhook }, chatChannel: '' });
    expect(outcome).toMatchObject({ kind: 'rejected', code });
  });

  const passing: [string, FakeReply, number | undefined][] = [
    ['429', { status: 429, headers: { 'retry-after': '4' } }, 4],
    ['500 rollup_error', { status: 500, body: 'rollup_error' }, undefined],
    ['nothing', 'hang', undefined],
    ['a lost connection', 'drop', undefined],
  ];
  test.each(passing)('leads to a retry with status %s', async (_name, reply, afterSeconds) => {
    const { fake, deliver, webhook } = await startChat(limitFor(reply));
    fake.respondWith('webhook', reply);
    const outcome = await deliver({ chatToken: { incoming_webhook: webhook }, chatChannel: '' });
    expect(outcome).toMatchObject({ kind: 'retry', code: 'UNKNOWN' });
    expect(outcome.kind === 'retry' && outcome.afterSeconds).toBe(afterSeconds);
  });
});
