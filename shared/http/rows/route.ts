import type { BlobFolder } from '../../blobs/blob-folders.ts';
import type { EditedKind } from '../../database/items/edition.ts';
import type { ErrorCode } from '../../runtime/errors.ts';
import type { SettingName } from '../../runtime/settings.ts';
import type { Scope } from '../../schemas/account/api-key.ts';
import type { AnySchema } from '../../schemas/fields/any-schema.ts';

export type CallerKind = 'secret' | 'public' | 'member';

/**
 * Access to a route, as data, so that it cannot be forgotten. `none`: no credential. `self`: callable with a
 * public key, which then acts for one user, named by that path parameter or by query `userId` / header
 * `x-user-id`; environments in secure mode also require the user hash. `person`: any valid access token, even
 * if its subject is not a member yet; the caller is then a `Person`.
 */
export type Access =
  | 'none'
  | {
      callers: readonly CallerKind[];
      admin?: true;
      /** Belongs to the account: a key bound to an environment may not call it. */
      unbound?: true;
      self?: { pathParameter: string } | 'userId';
      person?: true;
    };

/** External services, each a named policy of infra/aws with the actions of one use of it. */
export type Service =
  | 'event-bus'
  | 'ses'
  | 'suppression-list'
  | 'ses-identities'
  | 'receipt-rules'
  | 'text-messages'
  | 'voice-messages'
  | 'opt-out-list'
  | 'websocket'
  | 'websocket-close'
  | 'user-pool-create'
  | 'user-pool-read'
  | 'user-pool-update'
  | 'user-pool-delete'
  | 'secrets';

/** Grants of a function on the table and other resources: its role is built only from this. */
export type Grants = {
  /**
   * DynamoDB actions by short name, alone or within a transaction, on the table and, for `query`, on the named
   * indexes. `check`: a condition on another item of a transaction.
   */
  table?: readonly (
    | 'get'
    | 'batchGet'
    | 'query'
    | 'put'
    | 'update'
    | 'delete'
    | 'check'
    | 'batchWrite'
    | 'scan'
  )[];
  indexes?: readonly ('feed' | 'due')[];
  /**
   * Envelope encryption: `decrypt` unwraps data keys, to encrypt as well as to decrypt. `encrypt` makes them: an
   * account's with the account, the deployment's with its first signature.
   */
  keyring?: readonly ('encrypt' | 'decrypt')[];
  blobs?: { [access in 'read' | 'write' | 'delete' | 'list']?: readonly BlobFolder[] };
  sendsTo?: readonly string[];
  /** Queues, among those it sends to, whose messages the function counts. */
  counts?: readonly string[];
  services?: readonly Service[];
};

/** Success response of a route: JSON of a schema, nothing, a page, a pixel, a redirect, a text document, or a file. */
type ResponseShape =
  | { kind: 'json'; body: AnySchema }
  /** Of this media type, or of any. */
  | { kind: 'file'; mediaType?: string }
  | { kind: 'empty' | 'html' | 'gif' | 'redirect' | 'document' };

export const RESPONSE_STATUS = {
  json: 200,
  empty: 204,
  html: 200,
  gif: 200,
  redirect: 302,
  document: 200,
  file: 200,
} as const satisfies Record<ResponseShape['kind'], number>;

/** A named example of a request and its response, for the OpenAPI document. */
type RouteExample = { request?: unknown; response?: unknown };

/** One endpoint as data: the source of its Lambda function, its API Gateway route, its role and its documentation. */
export type Route = {
  /** Operation id, camelCase; the handler's file is its kebab-case form in the resource's folder. */
  id: string;
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path with `{parameter}` segments. */
  path: string;
  access: Access;
  pathParameters?: AnySchema;
  query?: AnySchema;
  body?: AnySchema;
  /** A request without a body is one with an empty object. */
  bodyOptional?: true;
  response: ResponseShape;
  grants: Grants;
  /** One line. */
  summary: string;
  description?: string;
  example?: RouteExample;
  /** Codes in addition to those that the rest of the row implies, such as FORBIDDEN_KEY_TYPE and CHANGED_MEANWHILE. */
  errors?: readonly ErrorCode[];
  /** Browsers may call it from any origin: the public-key routes. */
  cors?: true;
  /** Accepts the header Idempotency-Key. */
  idempotent?: true;
  /** The resource whose state has an ETag, in the response and for If-Match; `list`: the response itself has one. */
  etag?: EditedKind | 'list';
  /** Changes nothing, although its method is not GET. */
  readOnly?: true;
  /** Changes or removes what exists; by default, every method but GET and POST does. */
  replaces?: boolean;
  /** New callers use `successor`; the route works at least until `sunset`. */
  deprecated?: { since: string; sunset: string; successor: string };
  /** The scope that a key needs, if not `scopeOf` by method. */
  scope?: Scope;
  /**
   * Is about keys, client secrets, signing secrets or service accounts. Such a row is never offered to a model; the studio's
   * server rejects `all`, and passes on `some` without the credentials.
   */
  secrets?: 'all' | 'some';
  /**
   * Headers with the provider's signature, whose presence is checked before anything else is read: a
   * callback.
   */
  signedBy?: readonly string[];
  /** Most bytes of the body, when fewer than every body's 6 MB. */
  bodyBytesMax?: number;
  /** Environment settings that this function reads in addition to the common settings. */
  settings?: readonly SettingName[];
};

/** A route of the route table: with the folder of its handler below functions/. */
export type ListedRoute = Route & { resource: string };

/** The scope that a key needs for a route: keys themselves are managed, not read. */
export function scopeOf({ scope, method, readOnly, secrets }: Route): Scope {
  return scope ?? ((method === 'GET' || readOnly) && !secrets ? 'read' : 'manage');
}

/** True if a call may change or remove what exists: other changes only add. */
export const isReplacing = ({ method, readOnly, replaces }: Route): boolean =>
  replaces ?? (!readOnly && method !== 'GET' && method !== 'POST');

/** True if a call may state with If-Match what it changes. */
export const isConditional = (row: Route): boolean =>
  row.etag !== undefined && row.etag !== 'list' && isReplacing(row);

/** The methods that reach a route: HEAD wherever GET does. */
export const methodsOf = ({ method }: Pick<Route, 'method'>): string[] =>
  method === 'GET' ? ['GET', 'HEAD'] : [method];

/** Keeps the literal schema types of a route row. */
export function route<const R extends Route>(row: R): R {
  return row;
}

/** `listApiKeys` -> `list-api-keys`: the handler's file name. */
export function fileNameOf(id: string): string {
  return id.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
