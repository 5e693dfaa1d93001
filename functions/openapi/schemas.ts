import { type OverrideSchemaContext, toJsonSchema, toJsonSchemaDefs } from '@valibot/to-json-schema';
import { ERRORS } from '../../shared/runtime/errors.ts';
import { AccountAnswer } from '../../shared/schemas/account.ts';
import { Address } from '../../shared/schemas/address.ts';
import type { AnySchema } from '../../shared/schemas/any-schema.ts';
import { ApiKey } from '../../shared/schemas/api-key.ts';
import { Channel } from '../../shared/schemas/channel.ts';
import { Component } from '../../shared/schemas/component.ts';
import { EnvironmentAnswer } from '../../shared/schemas/environment.ts';
import { ErrorBody } from '../../shared/schemas/error.ts';
import { InboundMessage } from '../../shared/schemas/inbound-message.ts';
import { LogRecord } from '../../shared/schemas/log-record.ts';
import { MemberAnswer } from '../../shared/schemas/member.ts';
import { NotificationType, TypeOptions } from '../../shared/schemas/notification-type.ts';
import { Organization, UsageMonth } from '../../shared/schemas/organization.ts';
import { Attachment, SendOptions, SendRequest } from '../../shared/schemas/send-request.ts';
import { SenderDomain } from '../../shared/schemas/sender-domain.ts';
import { Template } from '../../shared/schemas/template.ts';
import { ChatToken, Recipient, User } from '../../shared/schemas/user.ts';
import { refined, withFieldTexts } from './refine.ts';
import './texts.ts';

type Json = Record<string, unknown>;

/** Named shapes that the document contains once. */
const NAMED = {
  ApiKey,
  Channel,
  ChatToken,
  Environment: EnvironmentAnswer,
  ErrorResponse: ErrorBody,
  Account: AccountAnswer,
  Address,
  Attachment,
  Component,
  Member: MemberAnswer,
  Organization,
  SenderDomain,
  Template,
  UsageItem: UsageMonth,
  InboundMessage,
  LogRecord,
  NotificationType,
  Recipient,
  SendOptions,
  SendRequest,
  TypeOptions,
  User,
} as const satisfies Record<string, AnySchema>;

const SCHEMA_OPTIONS = {
  errorMode: 'ignore',
  target: 'draft-2020-12',
  typeMode: 'input',
  definitions: NAMED,
  overrideRef: ({ referenceId }: { referenceId: string }) => `#/components/schemas/${referenceId}`,
  overrideSchema: ({ valibotSchema, jsonSchema }: OverrideSchemaContext) =>
    withFieldTexts(valibotSchema as AnySchema, jsonSchema),
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
  const error = JSON.parse(JSON.stringify(schemas.ErrorResponse));
  error.properties.error.properties.code.enum = Object.keys(ERRORS);
  return Object.fromEntries(
    Object.entries({ ...schemas, ErrorResponse: error }).map(([name, schema]) => [name, refined(schema)]),
  );
}
