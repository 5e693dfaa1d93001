import { hash } from 'node:crypto';
import { shardOf } from '../../runtime/values/ids.ts';
import { environmentPk, type Key, part, userPk } from './key.ts';

export const TYPE_PREFIX = 'TYPE#';
export const COMPONENT_PREFIX = 'COMPONENT#';
export const WEBHOOK_CALL_PREFIX = 'WEBHOOKCALL#';
/** `ENV#x7… / TYPE#welcome` */
export const typeKey = (environmentId: string, notificationId: string): Key => ({
  pk: environmentPk(environmentId),
  sk: `${TYPE_PREFIX}${part(notificationId)}`,
});
/**
 * `TEMPLATES#x7…#welcome / TEMPLATE#EMAIL#default`, of a variant `TEMPLATE#EMAIL#default#de`: separate from
 * the types, so that listing types reads no bodies.
 */
export const templateKey = (
  environmentId: string,
  notificationId: string,
  channel: string,
  templateId: string,
  locale?: string,
): Key => ({
  pk: `TEMPLATES#${part(environmentId)}#${part(notificationId)}`,
  sk: `TEMPLATE#${channel}#${part(templateId)}${locale === undefined ? '' : `#${part(locale)}`}`,
});
type TemplateOwner = { environmentId: string; notificationId: string; channel: string };
type Variant = { templateId: string; locale?: string | undefined };
const besideTemplate = (
  kind: 'VERSION' | 'DRAFT',
  { environmentId, notificationId, channel }: TemplateOwner,
  { templateId, locale = '' }: Variant,
): Key => ({
  pk: templateKey(environmentId, notificationId, channel, templateId).pk,
  sk: `${kind}#${channel}#${part(templateId)}#${part(locale)}#`,
});
/** `TEMPLATES#x7…#welcome / DRAFT#EMAIL#default#de#`: what is edited and does not send yet. */
export const templateDraftKey = (owner: TemplateOwner, variant: Variant): Key =>
  besideTemplate('DRAFT', owner, variant);
/** `TEMPLATES#x7…#welcome / VERSION#EMAIL#default#de#001780…`: an earlier version; without one, where all of them begin. */
export const templateVersionKey = (owner: TemplateOwner, variant: Variant, version?: number): Key => {
  const { pk, sk } = besideTemplate('VERSION', owner, variant);
  return { pk, sk: version === undefined ? sk : `${sk}${String(version).padStart(16, '0')}` };
};
/** `ENV#x7… / TRANSLATIONS`: the languages that have translations. */
export const translationListKey = (environmentId: string): Key => ({
  pk: environmentPk(environmentId),
  sk: 'TRANSLATIONS',
});
/** `ENV#x7… / TRANSLATION#de` */
export const translationKey = (environmentId: string, locale: string): Key => ({
  pk: environmentPk(environmentId),
  sk: `TRANSLATION#${part(locale)}`,
});
/** `ENV#x7… / COMPONENT#footer` */
export const componentKey = (environmentId: string, componentId: string): Key => ({
  pk: environmentPk(environmentId),
  sk: `${COMPONENT_PREFIX}${part(componentId)}`,
});
/** `ENV#x7… / EMBEDDINGS`: which components embed which. */
export const embeddingsKey = (environmentId: string): Key => ({
  pk: environmentPk(environmentId),
  sk: 'EMBEDDINGS',
});
type TemplateName = {
  notificationId: string;
  channel: string;
  templateId: string;
  locale?: string | undefined;
};
/** `ENV#x7… / REFERENCE#footer#Zb…`: a template embeds a component; its ids are hashed, three would be too long. */
export const referenceKey = (environmentId: string, componentId: string, template: TemplateName): Key => ({
  pk: environmentPk(environmentId),
  sk: referencePrefix(componentId) + referenceHash(template),
});
/** `REFERENCE#footer#`: start of the sort keys of a component's references; without one, of all components'. */
export const referencePrefix = (componentId?: string) =>
  componentId === undefined ? 'REFERENCE#' : `REFERENCE#${part(componentId)}#`;
const referenceHash = ({ notificationId, channel, templateId, locale }: TemplateName) =>
  hash(
    'sha256',
    JSON.stringify([notificationId, channel, templateId, ...(locale === undefined ? [] : [locale])]),
    'base64url',
  );
/** `ENV#x7… / WEBHOOK#events` */
export const webhookKey = (environmentId: string): Key => ({
  pk: environmentPk(environmentId),
  sk: 'WEBHOOK#events',
});
/** Partitions of a webhook's calls: one takes a thousand events a second. */
export const WEBHOOK_ATTEMPT_SHARDS = 16;
/** `WEBHOOKATTEMPTS#x7…#w3…#5`: calls of an environment's webhook; one that is created again has another id. */
export const webhookAttemptsPk = (environmentId: string, webhookId: string, shard: number) =>
  `${WEBHOOK_ATTEMPTS_PREFIX}${part(environmentId)}#${part(webhookId)}#${shard}`;
export const WEBHOOK_ATTEMPTS_PREFIX = 'WEBHOOKATTEMPTS#';
/** `WEBHOOKATTEMPTS#x7…#w3…#5 / 2026-…#msg_018f…`: sorts by the time of the first attempt. */
export const webhookHistoryKey = (
  environmentId: string,
  webhookId: string,
  firstAtIso: string,
  messageId: string,
): Key => ({
  pk: webhookAttemptsPk(environmentId, webhookId, shardOf(messageId, WEBHOOK_ATTEMPT_SHARDS)),
  sk: `${firstAtIso}#${part(messageId)}`,
});
/** `WEBHOOKCALL#msg_018f… / CALL`: a webhook call whose next attempt is further away than a queue's delay. */
export const webhookCallKey = (messageId: string): Key => ({
  pk: `${WEBHOOK_CALL_PREFIX}${part(messageId)}`,
  sk: 'CALL',
});
/** `ENV#x7… / TOPIC#news` */
export const topicKey = (environmentId: string, topicId: string): Key => ({
  pk: environmentPk(environmentId),
  sk: `${TOPIC_PREFIX}${part(topicId)}`,
});
/** `TOPIC#`: start of the sort keys of an environment's topics, and of a user's topics. */
export const TOPIC_PREFIX = 'TOPIC#';
/** `TOPIC#x7…#news` */
export const topicMembersPk = (environmentId: string, topicId: string) =>
  `${TOPIC_PREFIX}${part(environmentId)}#${part(topicId)}`;
/** `TOPIC#x7…#news / MEMBER#ada` */
export const topicMemberKey = (environmentId: string, topicId: string, userId: string): Key => ({
  pk: topicMembersPk(environmentId, topicId),
  sk: `${TOPIC_MEMBER_PREFIX}${part(userId)}`,
});
export const TOPIC_MEMBER_PREFIX = 'MEMBER#';
/** `USER#x7…#ada / TOPIC#news` */
export const userTopicKey = (environmentId: string, userId: string, topicId: string): Key => ({
  pk: userPk(environmentId, userId),
  sk: `${TOPIC_PREFIX}${part(topicId)}`,
});
