import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

export type Json = Record<string, unknown>;
type Media = { schema: Json; example?: unknown };
type Content = Record<string, Media>;
type Parameter = { $ref?: string; name: string; in: string; required: boolean; schema: Json };
type Response = { $ref?: string; description: string; content?: Content };
type Operation = {
  operationId: string;
  tags: string[];
  summary: string;
  description: string;
  security: Json[];
  parameters: Parameter[];
  requestBody?: { required: boolean; content: Content };
  responses: Record<string, Response>;
};
type Document = {
  openapi: string;
  info: { title: string; version: string };
  tags: { name: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: {
    schemas: Record<string, Json>;
    parameters: Record<string, Parameter>;
    headers: Record<string, Json>;
    responses: Record<string, Response>;
    securitySchemes: Json;
  };
  servers: Json[];
  webhooks: Record<string, { post: { requestBody: { content: Content } } }>;
};

const FILE = resolve(import.meta.dirname, '../../docs/openapi.json');
export const document: Document = JSON.parse(readFileSync(FILE, 'utf8'));
export const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    name: `${method.toUpperCase()} ${path}`,
    path,
    operation: { ...operation, parameters: operation.parameters.map(resolvedParameter) },
  })),
);

/** A shared parameter in place of the reference to it. */
function resolvedParameter(parameter: Parameter): Parameter {
  return document.components.parameters[parameter.$ref?.split('/').at(-1) ?? ''] ?? parameter;
}

/** A shared response in place of the reference to it. */
export function resolved(response: Response): Response {
  const shared = document.components.responses[response.$ref?.split('/').at(-1) ?? ''];
  return { ...shared, ...response };
}

// What is referred to is compiled once, not in the place of each reference.
const ajv = new Ajv2020({ strict: false, validateFormats: false, inlineRefs: false });
ajv.addSchema({ $id: 'document', components: document.components });
const validators = new Map<string, ValidateFunction>();
const bySchema = new WeakMap<Json, ValidateFunction>();

/** The schema with its references into the document. */
export function compiled(schema: Json): ValidateFunction {
  const known = bySchema.get(schema);
  if (known) return known;
  const text = JSON.stringify(schema).replaceAll('"#/components/', '"document#/components/');
  const validate = validators.get(text) ?? ajv.compile(JSON.parse(text));
  validators.set(text, validate);
  bySchema.set(schema, validate);
  return validate;
}

export const mediaOf = ({ requestBody, responses }: Operation): Media[] =>
  [requestBody, ...Object.values(responses).map(resolved)].flatMap((each) =>
    Object.values(each?.content ?? {}),
  );
