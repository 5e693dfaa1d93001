import { appliesTo, listOf, type Request, type Statement } from './policy.ts';
import type { Deployment } from './templates.ts';

/** One action of a role on one resource. */
type Grant = Statement & { Action: string; Resource: string };

/** The roles of a deployment's functions, and which of their grants a run has needed. */
export type Roles = {
  /** Returns true if the role of a function, by its name, allows the request. */
  allow(functionName: string, request: Request): boolean;
  /** The grants by function, of which requests of this run depended on the first, and on no other. */
  grants(): { needed: FunctionGrant[]; unneeded: FunctionGrant[] };
};

/** A grant of a function's role. */
export type FunctionGrant = { functionName: string; grant: Grant };

/** Reads the roles of the templates. Throws for a function without a role, and for managed policies. */
export function openRoles(deployment: Deployment): Roles {
  const roles = new Map(
    deployment
      .ofType('AWS::Lambda::Function')
      .map(({ ref, template, properties }) => [ref, grantsOf(deployment, ref, template, properties.Role)]),
  );
  const needed = new Set<Grant>();
  return {
    allow(functionName, request) {
      const [grant, ...others] = (roles.get(functionName) ?? []).filter((each) => appliesTo(each, request));
      if (grant && others.length === 0) needed.add(grant);
      return grant !== undefined;
    },
    grants() {
      const all = [...roles].flatMap(([functionName, grants]) =>
        grants.map((grant) => ({ functionName, grant })),
      );
      return {
        needed: all.filter(({ grant }) => needed.has(grant)),
        unneeded: all.filter(({ grant }) => !needed.has(grant)),
      };
    },
  };
}

function grantsOf(deployment: Deployment, name: string, template: string, roleArn: string): Grant[] {
  const role = deployment
    .ofType('AWS::IAM::Role')
    .find((each) => each.template === template && each.arn === roleArn);
  if (!role) throw new Error(`${name} has no role in its template`);
  const { Policies = [], ManagedPolicyArns = [] } = role.properties;
  if (ManagedPolicyArns.length > 0) throw new Error(`${name}: managed policies are not evaluated here`);
  const statements: Statement[] = Policies.flatMap(
    ({ PolicyDocument }: { PolicyDocument: { Statement: Statement[] } }) => PolicyDocument.Statement,
  );
  if (statements.some(({ Effect }) => Effect === 'Deny'))
    throw new Error(`${name}: what a role denies is not evaluated here`);
  return statements.flatMap((statement) =>
    listOf(statement.Action).flatMap((Action) =>
      listOf(statement.Resource ?? '*').map((Resource) => ({ ...statement, Action, Resource })),
    ),
  );
}

/** A grant in a list: `make-ready: sqs:SendMessage call-webhooks`, `sweep: dynamodb:Query index/due`. */
export function grantLine({ functionName, grant: { Action, Resource } }: FunctionGrant): string {
  const [service] = Action.split(':');
  const name = Resource.split(':').slice(5).join(':').replace(OWN_NAME, '');
  const part = PARTS[service ?? '']?.(name) ?? '';
  return `${functionName.replace(OWN_NAME, '')}: ${Action} ${part}`.trim();
}

const OWN_NAME = /^notifications-cloud-/;

/** The part of a resource's name that distinguishes grants of one action. */
const PARTS: Readonly<Record<string, (name: string) => string | undefined>> = {
  dynamodb: (name) => /index\/\w+/.exec(name)?.[0],
  s3: (name) => /\/(.*)/.exec(name)?.[1],
  sqs: (name) => name,
  ses: (name) => name.replace('/*', ''),
  'sms-voice': (name) => name.replace('/*', ''),
};
