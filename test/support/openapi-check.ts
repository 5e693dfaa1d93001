import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { patientFetch } from './patient-fetch.ts';

type Json = Record<string, unknown>;
type Operation = {
  operationId: string;
  responses: Record<string, { $ref?: string; content?: Record<string, { schema: Json }> }>;
};

/** A request to an operation: the values of its path, its query, its body, the caller. */
export type Ask = {
  path?: Record<string, string>;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  body?: unknown;
  key?: string;
};

/** Calls operations of docs/openapi.json by their id and compares each response with the document. */
export function createOpenapiCheck() {
  const file = resolve(import.meta.dirname, '../../docs/openapi.json');
  const document = JSON.parse(readFileSync(file, 'utf8'));
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema({ $id: 'document', components: document.components });
  const operations = new Map<string, { method: string; path: string; operation: Operation }>();
  for (const [path, methods] of Object.entries<Record<string, Operation>>(document.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      operations.set(operation.operationId, { method: method.toUpperCase(), path, operation });
    }
  }
  const succeeded = new Set<string>();

  function assertResponse(
    id: string,
    operation: Operation,
    status: number,
    type: string,
    text: string,
  ): void {
    const given = operation.responses[String(status)];
    const documented = given?.$ref
      ? document.components.responses[given.$ref.split('/').at(-1) ?? '']
      : given;
    if (!documented) throw new Error(`${id} returned ${status}, which the document does not have: ${text}`);
    if (!documented.content) {
      if (text !== '') throw new Error(`${id} returned ${status} with a body`);
      return;
    }
    const schema = documented.content[type]?.schema;
    if (!schema) throw new Error(`${id} returned ${type}, which the document does not have`);
    const rooted = JSON.stringify(schema).replaceAll('"#/components/', '"document#/components/');
    const validate = ajv.compile(JSON.parse(rooted));
    if (!validate(type === 'application/json' ? JSON.parse(text) : text)) {
      throw new Error(`${id} ${status}: ${ajv.errorsText(validate.errors)}: ${text.slice(0, 1000)}`);
    }
  }

  return {
    /** Calls the operation at `baseUrl`; throws when the document does not have the response. */
    async call(baseUrl: string, id: string, { path = {}, query = {}, headers, body, key }: Ask) {
      const found = operations.get(id);
      if (!found) throw new Error(`The document has no operation ${id}`);
      const filled = found.path.replace(/\{([^}]+)\}/g, (_, name) => encodeURIComponent(path[name] ?? ''));
      const search = Object.keys(query).length > 0 ? `?${new URLSearchParams(query)}` : '';
      const response = await patientFetch(baseUrl + filled + search, {
        method: found.method,
        headers: { ...(key ? { authorization: `Bearer ${key}` } : {}), ...headers },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
      const text = await response.text();
      const type = (response.headers.get('content-type') ?? '').split(';')[0] ?? '';
      assertResponse(id, found.operation, response.status, type, text);
      if (response.ok) succeeded.add(id);
      return {
        status: response.status,
        text,
        json: type === 'application/json' ? JSON.parse(text) : undefined,
      };
    },
    /** Operations that were not called with success. */
    missing: () => [...operations.keys()].filter((id) => !succeeded.has(id)),
  };
}
