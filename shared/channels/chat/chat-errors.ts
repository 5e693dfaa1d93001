import type { FailureCode } from '../../schemas/logs/failure-codes.ts';

type ChatCode = FailureCode<'CHAT'>;

// The errors of the Web API, then the errors of incoming webhooks.
const ERRORS: Partial<Record<ChatCode, readonly string[]>> = {
  CHANNEL_NOT_FOUND: [
    'channel_not_found',
    'user_not_found',
    'users_not_found',
    'user_not_visible',
    'user_disabled',
    'team_not_found',
    'webhook_gone',
    'method_not_supported_for_channel_type',
  ],
  NOT_IN_CHANNEL: ['not_in_channel'],
  CHANNEL_ARCHIVED: ['is_archived', 'channel_is_archived'],
  MESSAGE_TOO_LONG: [
    'msg_too_long',
    'msg_blocks_too_long',
    'attachment_payload_limit_exceeded',
    'metadata_too_large',
    'too_many_attachments',
  ],
  NO_TEXT: ['no_text'],
  RESTRICTED_ACTION: [
    'restricted_action',
    'restricted_action_read_only_channel',
    'restricted_action_thread_only_channel',
    'restricted_action_non_threadable_channel',
    'restricted_action_thread_locked',
    'ekm_access_denied',
    'access_denied',
    'no_permission',
    'accesslimited',
    'app_access_restricted',
    'messages_tab_disabled',
    'cannot_reply_to_message',
    'enterprise_is_restricted',
    'action_prohibited',
    'posting_to_general_channel_denied',
  ],
  TOKEN_EXPIRED: ['token_expired', 'invalid_refresh_token'],
  INVALID_AUTH: [
    'invalid_auth',
    'not_authed',
    'token_revoked',
    'account_inactive',
    'not_allowed_token_type',
    'missing_scope',
    'org_login_required',
    'two_factor_setup_required',
    'invalid_token',
    'no_active_hooks',
    'no_service',
    'no_service_id',
    'no_team',
    'team_disabled',
  ],
};

const RETRIED = [
  'ratelimited',
  'rate_limited',
  'message_limit_exceeded',
  'service_unavailable',
  'internal_error',
  'fatal_error',
  'request_timeout',
  'team_added_to_org',
  'rollup_error',
];

const SHARED_CHANNEL_BLOCK = /^slack_connect_\w+_blocked$/;

const CODES = new Map(
  Object.entries(ERRORS).flatMap(([code, errors]) =>
    errors.map((error) => [error, code as ChatCode] as const),
  ),
);

/** The failure code of a chat provider's error; UNKNOWN for all others. */
export function codeOfChatError(error: string): ChatCode {
  if (SHARED_CHANNEL_BLOCK.test(error)) return 'RESTRICTED_ACTION';
  return CODES.get(error) ?? 'UNKNOWN';
}

/** True if an error is temporary. */
export function isPassingChatError(error: string): boolean {
  return RETRIED.includes(error);
}
