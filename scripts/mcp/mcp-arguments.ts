import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { Tool } from './mcp-protocol.ts';

const ajv = new Ajv2020({ strict: false, validateFormats: false });
/** By tool name: a schema is compiled with its first call, because Ajv keeps every compiled schema. */
const validators = new Map<string, ValidateFunction>();

/**
 * Returns the problem of a call's arguments in one line. The service checks bodies itself; a misspelt argument would be
 * ignored, and the response would be about something else.
 */
export function argumentProblem(
  { name, inputSchema }: Pick<Tool, 'name' | 'inputSchema'>,
  args: Record<string, unknown>,
): string | undefined {
  const { properties = {} } = inputSchema;
  const validate = validators.get(name) ?? ajv.compile(withAnyBody(inputSchema));
  validators.set(name, validate);
  if (validate(args)) return undefined;
  const names = Object.keys(properties).join(', ');
  const lines = (validate.errors ?? []).map(({ instancePath, message, params }) =>
    [instancePath.slice(1), message, params.additionalProperty].filter(Boolean).join(' '),
  );
  return `Wrong arguments: ${lines.join('; ')}. ${names ? `This tool accepts ${names}.` : 'This tool accepts none.'}`;
}

function withAnyBody(inputSchema: Tool['inputSchema']) {
  const { properties = {} } = inputSchema;
  return { ...inputSchema, properties: { ...properties, ...('body' in properties ? { body: {} } : {}) } };
}
