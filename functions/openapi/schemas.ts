import {
  type JsonSchema,
  type OverrideActionContext,
  type OverrideSchemaContext,
  toJsonSchema,
  toJsonSchemaDefs,
} from '@valibot/to-json-schema';
import { InappItem } from '../../shared/database/entities/inapp/inapp-item.ts';
import { ERRORS } from '../../shared/runtime/errors.ts';
import { AccountResponse } from '../../shared/schemas/account/account.ts';
import { ApiKey } from '../../shared/schemas/account/api-key.ts';
import { EnvironmentResponse } from '../../shared/schemas/account/environment.ts';
import { MemberResponse } from '../../shared/schemas/account/member.ts';
import { ChannelCounts, Organization, UsageMonth } from '../../shared/schemas/account/organization.ts';
import { Channel, ChannelText } from '../../shared/schemas/channel.ts';
import { Component } from '../../shared/schemas/content/component.ts';
import {
  ChannelOptions,
  Deduplication,
  InappOptions,
  NotificationType,
  Throttling,
  TypeOptions,
} from '../../shared/schemas/content/notification-type.ts';
import {
  ChannelOptionsInput,
  InappOptionsInput,
  OptionsInput,
} from '../../shared/schemas/content/notification-type-change.ts';
import { Template, TemplateChange } from '../../shared/schemas/content/template.ts';
import { DeliveryOption } from '../../shared/schemas/delivery/delivery-mode.ts';
import { Step } from '../../shared/schemas/delivery/steps.ts';
import { Address } from '../../shared/schemas/domains/address.ts';
import { DnsRecord, SenderDomain } from '../../shared/schemas/domains/sender-domain.ts';
import type { AnySchema } from '../../shared/schemas/fields/any-schema.ts';
import {
  BulkRejection,
  ErrorBody,
  ErrorCodeText,
  FIELD_CODES,
  FieldCodeText,
  FieldError,
} from '../../shared/schemas/fields/error.ts';
import { InboundMessage } from '../../shared/schemas/logs/inbound-message.ts';
import { LogRecord } from '../../shared/schemas/logs/log-record.ts';
import { MadeCall, WebhookAttempt, WebhookEvent } from '../../shared/schemas/logs/webhook.ts';
import {
  Attachment,
  INLINE_CONTENT,
  SendOptions,
  SendRequest,
} from '../../shared/schemas/sending/send-request.ts';
import { WaitingEntry } from '../../shared/schemas/sending/waiting.ts';
import { QuietHours } from '../../shared/schemas/users/quiet-hours.ts';
import {
  ChatToken,
  PushToken,
  Recipient,
  SendRecipient,
  User,
  WebPushToken,
} from '../../shared/schemas/users/user.ts';
import { BulkEntry, SendResponse } from '../sending/routes.ts';
import { NewUser, UserEntry } from '../users/routes.ts';
import { withCheck } from './checks.ts';
import { withCheckedFormat } from './formats.ts';
import { refined, withFieldTexts } from './refine.ts';
import './texts.ts';

type Json = Record<string, unknown>;

const NAMED = {
  ApiKey,
  Channel,
  ChannelCounts,
  ChannelOptions,
  ChannelOptionsChange: ChannelOptionsInput,
  ChatToken,
  Deduplication,
  DeliveryOption,
  DnsRecord,
  Environment: EnvironmentResponse,
  ErrorResponse: ErrorBody,
  FieldError,
  Account: AccountResponse,
  Address,
  Attachment,
  Component,
  InappItem,
  InappOptions,
  InappOptionsChange: InappOptionsInput,
  Member: MemberResponse,
  Organization,
  PushToken,
  QuietHours,
  SenderDomain,
  Template,
  UsageItem: UsageMonth,
  InboundMessage,
  LogRecord,
  NewUser,
  NotificationType,
  Recipient,
  ...INLINE_CONTENT,
  SendOptions,
  SendRecipient,
  SendRequest,
  SendRejection: BulkRejection,
  SendResult: SendResponse,
  Step,
  TemplateChange,
  Throttling,
  TypeOptions,
  TypeOptionsChange: OptionsInput,
  User,
  WaitingEntry,
  WebhookAttempt,
  WebhookCall: MadeCall,
  WebhookEventType: WebhookEvent,
  WebPushToken,
} as const satisfies Record<string, AnySchema>;

/** Texts that a later check parses, and the schema that they must have then. */
const SHOWN_AS = new Map<AnySchema, string>([
  [ChannelText, 'Channel'],
  [BulkEntry, 'SendRequest'],
  [UserEntry, 'NewUser'],
  [ErrorCodeText, 'ErrorCode'],
  [FieldCodeText, 'FieldErrorCode'],
]);

function shown(schema: AnySchema, json: JsonSchema): JsonSchema {
  const name = SHOWN_AS.get(schema);
  return name === undefined
    ? withCheckedFormat(schema, withFieldTexts(schema, openedAs(schema, json)))
    : { $ref: referenceTo(name) };
}

/** Others define what else is in such an object. */
const openedAs = (schema: AnySchema, json: JsonSchema): JsonSchema =>
  'isOpen' in schema && json.properties ? { ...json, additionalProperties: true } : json;

const referenceTo = (name: string) => `#/components/schemas/${name}`;

const SCHEMA_OPTIONS = {
  errorMode: 'ignore',
  target: 'draft-2020-12',
  typeMode: 'input',
  definitions: NAMED,
  overrideRef: ({ referenceId }: { referenceId: string }) => referenceTo(referenceId),
  overrideAction: ({ valibotAction, jsonSchema }: OverrideActionContext) =>
    withCheck(valibotAction, withCheckedFormat(valibotAction, jsonSchema)),
  overrideSchema: ({ valibotSchema, jsonSchema }: OverrideSchemaContext) =>
    shown(valibotSchema as AnySchema, jsonSchema),
} as const;

/**
 * JSON Schema of what a caller sends or receives; checks that JSON Schema cannot express stay in the
 * descriptions.
 */
export function schemaOf(schema: AnySchema): Json {
  const { $schema: _schema, $defs: _defs, ...rest } = toJsonSchema(named(schema), SCHEMA_OPTIONS) as Json;
  return refined(rest);
}

/** The named shape that a schema only adds checks to; otherwise the schema itself. */
function named(schema: AnySchema): AnySchema {
  const base = 'pipe' in schema && Array.isArray(schema.pipe) ? schema.pipe[0] : undefined;
  return Object.values<AnySchema>(NAMED).find((each) => each === base) ?? schema;
}

/** The named schemas themselves: each appears once in full and is referenced elsewhere. */
export function namedSchemas(): Json {
  const schemas = toJsonSchemaDefs(NAMED, SCHEMA_OPTIONS) as unknown as Record<string, Json>;
  const codes = (own: readonly string[], of: string) => ({
    type: 'string',
    enum: [...own, ...Object.keys(ERRORS)],
    description: `The code of ${of}.`,
  });
  const named = {
    ...schemas,
    ErrorCode: codes([], 'an error'),
    FieldErrorCode: codes(FIELD_CODES, 'one problem of a request'),
  };
  return Object.fromEntries(Object.entries(named).map(([name, schema]) => [name, refined(schema)]));
}
