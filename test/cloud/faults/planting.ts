import type { TemplateResource } from '../templates.ts';

/** A fault of a deployment: how it is planted into a resource of the templates, and the run's message about it. */
export type Fault = { name: string; plant: (resource: TemplateResource) => void; says: RegExp };

export const isFunction = ({ Type, Properties }: TemplateResource, id: string) =>
  Type === 'AWS::Lambda::Function' && Properties.FunctionName.endsWith(`-${id}`);

/** The statements of the role whose log group names the function. */
export function statementsOf({ Type, Properties }: TemplateResource, id: string) {
  if (Type !== 'AWS::IAM::Role') return [];
  const statements = Properties.Policies?.[0]?.PolicyDocument.Statement ?? [];
  const isOf = JSON.stringify(statements[0]?.Resource ?? '').includes(`${pascalOf(id)}Logs`);
  return isOf ? statements : [];
}

const pascalOf = (id: string) =>
  id.replace(/(^|-)([a-z])/g, (_, _dash, letter: string) => letter.toUpperCase());

const actionsOf = (statement: { Action: string | string[] }) => [statement.Action].flat();

/** Removes an action from a function's role. */
export const without = (id: string, action: string) => (resource: TemplateResource) => {
  for (const statement of statementsOf(resource, id)) {
    statement.Action = actionsOf(statement).filter((each) => each !== action);
    if (statement.Action.length === 0) statement.Action = 'none:None';
  }
};

export const mappingOf = ({ Type, Properties }: TemplateResource, id: string) =>
  Type === 'AWS::Lambda::EventSourceMapping' &&
  JSON.stringify(Properties.FunctionName).includes(pascalOf(id));
