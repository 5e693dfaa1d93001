import {
  type Context,
  type Emitter,
  Hash,
  type Liquid,
  Tag,
  type TagToken,
  type Template,
  type TopLevelToken,
  TypeGuards,
  toValueSync,
  type ValueToken,
} from 'liquidjs';
import { COMPONENT_DEPTH_MAX } from '../../domain/content/component-graph.ts';
import { problemOf } from '../checks/problem.ts';
import { RenderProblem } from '../liquid/limits.ts';
import { stateOf } from '../liquid/scope.ts';

type TagClass = new (token: TagToken, remaining: TopLevelToken[], liquid: Liquid) => Tag;

/**
 * The tag `{% component 'id', name: value %}` of email html: renders that component in place, with the current variables
 * and, inside only, its arguments. A missing component renders empty and adds a note. liquidjs requires tags as classes.
 */
export function componentTag(parse: (html: string) => Template[]): TagClass {
  return class extends Tag {
    readonly componentId: string;
    readonly #arguments: Hash;

    constructor(token: TagToken, remaining: TopLevelToken[], liquid: Liquid) {
      super(token, remaining, liquid);
      this.componentId = idOf(token);
      this.#arguments = argumentsOf(token);
    }

    *arguments() {
      for (const value of Object.values(this.#arguments.hash)) if (value) yield value as ValueToken;
    }

    argumentNames(): string[] {
      return Object.keys(this.#arguments.hash);
    }

    *render(context: Context, emitter: Emitter): Generator<unknown, void, unknown> {
      const { components, chain, notes } = stateOf(context);
      const id = this.componentId;
      const html = Object.hasOwn(components, id) ? components[id] : undefined;
      if (html === undefined) {
        notes.add(`the component "${id}" does not exist`);
        return;
      }
      if (chain.includes(id)) throw new RenderProblem(`the component "${id}" embeds itself`);
      if (chain.length >= COMPONENT_DEPTH_MAX) {
        throw new RenderProblem(
          `components are embedded in one another more than ${COMPONENT_DEPTH_MAX} deep`,
        );
      }
      const given = (yield this.#arguments.render(context)) as object;
      chain.push(id);
      context.push(Object.assign(Object.create(null), given));
      try {
        yield this.liquid.renderer.renderTemplates(parse(html), context, emitter);
      } catch (error) {
        throw new RenderProblem(`component "${id}": ${problemOf(error)}`, true);
      }
      context.pop();
      chain.pop();
      context.breakCalled = false;
      context.continueCalled = false;
    }
  };
}

/** IDs of the components that parsed templates name, each once, in the order of the text. */
export function componentIdsIn(templates: readonly Template[]): string[] {
  const ids = new Set<string>();
  const visit = (template: Template) => {
    if ('componentId' in template && typeof template.componentId === 'string') ids.add(template.componentId);
    const children: Template[] | undefined = template.children && toValueSync(template.children(false, true));
    children?.forEach(visit);
  };
  templates.forEach(visit);
  return [...ids];
}

/** A parsed tag that embeds a component. */
type Embedding = { componentId: string; argumentNames(): string[] };

/** True if a parsed template is the tag `component`. */
export function isEmbedding(template: object): template is Embedding {
  return 'componentId' in template && 'argumentNames' in template;
}

function idOf(token: TagToken): string {
  const value = token.tokenizer.readValue();
  token.tokenizer.skipBlank();
  if (!value || !TypeGuards.isQuotedToken(value) || value.content === '') throw usage();
  return value.content;
}

/** Each is a name with a value, after a comma. */
function argumentsOf(token: TagToken): Hash {
  const { tokenizer } = token;
  const rest = tokenizer.input.slice(tokenizer.p, tokenizer.N);
  if (rest.trim() !== '' && !rest.startsWith(',')) throw usage();
  const hash = new Hash(tokenizer);
  tokenizer.skipBlank();
  const isComplete = Object.values(hash.hash).every((value) => value !== undefined);
  if (!isComplete || !tokenizer.end()) throw usage();
  return hash;
}

function usage(): RenderProblem {
  return new RenderProblem(
    "component needs one ID in quotes, and arguments after commas, such as {% component 'button', label: 'Track' %}",
  );
}
