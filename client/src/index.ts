export { type Client, createClient } from './client.ts';
export { ConnectionError, ServiceError } from './errors.ts';
export type * from './generated/types.ts';
export type { List } from './list.ts';
export type { CallOptions, ClientOptions } from './request.ts';
export { SendManyError, type SendManyOptions, type SendManyResult } from './send-many.ts';
export { userHash } from './user-hash.ts';
export { subscribeToWebPush, type WebPushOptions, type WebPushResult } from './web-push/subscribe.ts';
export { verifyWebhook, WebhookVerificationError } from './webhooks.ts';
