import {
  type JsonSchema,
  type OverrideActionContext,
  type OverrideSchemaContext,
  toJsonSchema,
  toJsonSchemaDefs,
} from '@valibot/to-json-schema';
import { InappItem } from '../../shared/database/entities/inapp-item.ts';
import { ERRORS } from '../../shared/runtime/errors.ts';
import { AccountAnswer } from '../../shared/schemas/account.ts';
import { Address } from '../../shared/schemas/address.ts';
import type { AnySchema } from '../../shared/schemas/any-schema.ts';
import { ApiKey } from '../../shared/schemas/api-key.ts';
import { Channel, ChannelText } from '../../shared/schemas/channel.ts';
import { Component } from '../../shared/schemas/component.ts';
import { DeliveryOption } from '../../shared/schemas/delivery-mode.ts';
import { EnvironmentAnswer } from '../../shared/schemas/environment.ts';
import {
  ErrorBody,
  ErrorCodeText,
  FIELD_CODES,
  FieldCodeText,
  FieldError,
} from '../../shared/schemas/error.ts';
import { InboundMessage } from '../../shared/schemas/inbound-message.ts';
import { LogRecord } from '../../shared/schemas/log-record.ts';
import { MemberAnswer } from '../../shared/schemas/member.ts';
import {
  ChannelOptions,
  Deduplication,
  InappOptions,
  NotificationType,
  Throttling,
  TypeOptions,
} from '../../shared/schemas/notification-type.ts';
import {
  ChannelOptionsInput,
  InappOptionsInput,
  OptionsInput,
} from '../../shared/schemas/notification-type-change.ts';
import { ChannelCounts, Organization, UsageMonth } from '../../shared/schemas/organization.ts';
import { QuietHours } from '../../shared/schemas/quiet-hours.ts';
import { Attachment, INLINE_CONTENT, SendOptions, SendRequest } from '../../shared/schemas/send-request.ts';
import { DnsRecord, SenderDomain } from '../../shared/schemas/sender-domain.ts';
import { Step } from '../../shared/schemas/steps.ts';
import { Template, TemplateChange } from '../../shared/schemas/template.ts';
import {
  ChatToken,
  PushToken,
  Recipient,
  SendRecipient,
  User,
  WebPushToken,
} from '../../shared/schemas/user.ts';
import { WaitingEntry } from '../../shared/schemas/waiting.ts';
import { WebhookAttempt, WebhookEvent } from '../../shared/schemas/webhook.ts';
import { BulkEntry, BulkRejection, SendAnswer } from '../sending/routes.ts';
import { withCheckedFormat } from './formats.ts';
import { refined, withFieldTexts } from './refine.ts';
import './texts.ts';

type Json = Record<string, unknown>;

/** Named shapes that the document contains once. */
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
  Environment: EnvironmentAnswer,
  ErrorResponse: ErrorBody,
  FieldError,
  Account: AccountAnswer,
  Address,
  Attachment,
  Component,
  InappItem,
  InappOptions,
  InappOptionsChange: InappOptionsInput,
  Member: MemberAnswer,
  Organization,
  PushToken,
  QuietHours,
  SenderDomain,
  Template,
  UsageItem: UsageMonth,
  InboundMessage,
  LogRecord,
  NotificationType,
  Recipient,
  ...INLINE_CONTENT,
  SendOptions,
  SendRecipient,
  SendRequest,
  SendRejection: BulkRejection,
  SendResult: SendAnswer,
  Step,
  TemplateChange,
  Throttling,
  TypeOptions,
  TypeOptionsChange: OptionsInput,
  User,
  WaitingEntry,
  WebhookAttempt,
  WebhookEventType: WebhookEvent,
  WebPushToken,
} as const satisfies Record<string, AnySchema>;

/** Texts that a later check parses, and the schema that they must have then. */
const SHOWN_AS = new Map<AnySchema, string>([
  [ChannelText, 'Channel'],
  [BulkEntry, 'SendRequest'],
  [ErrorCodeText, 'ErrorCode'],
  [FieldCodeText, 'FieldErrorCode'],
]);

function shown(schema: AnySchema, json: JsonSchema): JsonSchema {
  const name = SHOWN_AS.get(schema);
  return name === undefined
    ? withCheckedFormat(schema, withFieldTexts(schema, json))
    : { $ref: referenceTo(name) };
}

const referenceTo = (name: string) => `#/components/schemas/${name}`;

const SCHEMA_OPTIONS = {
  errorMode: 'ignore',
  target: 'draft-2020-12',
  typeMode: 'input',
  definitions: NAMED,
  overrideRef: ({ referenceId }: { referenceId: string }) => referenceTo(referenceId),
  overrideAction: ({ valibotAction, jsonSchema }: OverrideActionContext) =>
    withCheckedFormat(valibotAction, jsonSchema),
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

/** The named shape to which a schema only adds checks, or else the schema itself. */
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
