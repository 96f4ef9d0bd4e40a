import { httpFields, moduleOf, type Module } from './blackbox-modules.ts';
import { hostTarget, httpTarget, limited, nameOf, tagsOf, type Target } from './common.ts';
import { Draft } from './draft.ts';
import { secondsOf } from './duration.ts';
import { ImportError, START, type Importer } from './importer.ts';
import { DNS_PORT_ONLY, Notes, portOnly, quoted, thing } from './notes.ts';
import { relabeling, type Labels } from './relabel.ts';
import { parseYaml } from './yaml-source.ts';
import { listOf, numberOf, objectOf, textOf, type Given } from './values.ts';

const EXPECTED =
  'Give prometheus.yml with the jobs of the blackbox exporter in its scrape_configs, and blackbox.yml after a line ---.';

/** Jobs of Prometheus that probe by the blackbox exporter: their documentation was read in November 2026. */
export const blackbox: Importer = {
  name: 'blackbox',
  title: 'Prometheus with the blackbox exporter',
  takes:
    'Give the configuration of Prometheus, or a list of its scrape_configs, and after a line `---` that of the exporter, blackbox.yml, which says what its modules do. Files of file_sd_configs may follow in the order of their jobs, each after a line `---`. Probes of the Prometheus operator and ConfigMaps of Kubernetes work, too.',
  read(source) {
    const documents = parseYaml(source, EXPECTED);
    const objects = documents.map(objectOf);
    const modules = Object.assign(
      {},
      ...objects.map(({ modules: some }) => objectOf(some)),
    ) as Given;
    const jobs = [
      ...documents.flatMap((document) => listOf(document)),
      ...objects.flatMap((document) => listOf(document['scrape_configs'])),
      ...objects.filter(({ kind }) => kind === 'Probe').map(jobOfProbe),
    ]
      .map(objectOf)
      .filter((job) => 'job_name' in job);
    if (jobs.length === 0)
      throw new ImportError(`${source.file} has no scrape_configs with jobs. ${EXPECTED}`, START);
    // Their files stand in the text in the order of the jobs.
    const lists = documents.filter(isTargetList);
    for (const job of jobs) {
      if ('file_sd_configs' in job && lists.length > 0)
        Object.assign(job, withTargets(job, lists.shift()));
    }
    const globals = Object.assign({}, ...objects.map(({ global }) => objectOf(global))) as Given;
    const draft = new Draft('blackbox');
    for (const job of jobs) addJob(job, { draft, modules, globals });
    return draft.imported();
  },
};

/** A file of `file_sd_configs`: a list of targets with labels. */
const isTargetList = (document: unknown) =>
  Array.isArray(document) &&
  document.length > 0 &&
  document.every((one) => 'targets' in objectOf(one));

function withTargets(job: Given, targets: unknown): Given {
  return {
    static_configs: [...listOf(job['static_configs']), ...listOf(targets)],
    file_sd_configs: undefined,
  };
}

interface Context {
  draft: Draft;
  modules: Given;
  globals: Given;
}

/** A Probe of the Prometheus operator as a job. */
function jobOfProbe({ metadata, spec }: Given): Given {
  const { jobName, module, interval, scrapeTimeout, targets } = objectOf(spec);
  const { static: list, labels, relabelingConfigs } = objectOf(objectOf(targets)['staticConfig']);
  return {
    job_name: jobName ?? objectOf(metadata)['name'] ?? 'probe',
    metrics_path: '/probe',
    scrape_interval: interval,
    scrape_timeout: scrapeTimeout,
    params: { module: [module] },
    static_configs: [{ targets: list, labels }],
    relabel_configs: [
      { source_labels: ['__address__'], target_label: '__param_target' },
      ...listOf(relabelingConfigs),
    ],
    ...(list === undefined && { kubernetes_sd_configs: [{}] }),
  };
}

function addJob(job: Given, context: Context): void {
  const { draft } = context;
  const name = textOf(job['job_name']) ?? 'job';
  const source = thing('job', null, name);
  const params = objectOf(job['params']);
  const [module, target] = ['module', 'target'].map((param) => textOf(listOf(params[param])[0]));
  const configs = listOf(job['relabel_configs']);
  const isProbe =
    module !== undefined ||
    target !== undefined ||
    configs.some((config) => textOf(objectOf(config)['target_label'])?.startsWith('__param_'));
  if (!isProbe) return draft.leaveOut(source, 'It collects metrics, and probes nothing.');
  const discovered = Object.keys(job).filter(
    (key) => key.endsWith('_sd_configs') && job[key] != null,
  );
  if (discovered.length > 0)
    draft.leaveOut(
      source,
      `Its targets of ${discovered.join(', ')} are not in the file: add their files, or write them into static_configs.`,
    );
  const relabel = relabeling(configs);
  for (const some of listOf(job['static_configs']).map(objectOf)) {
    const labels = Object.entries(objectOf(some['labels'])).map(([label, value]) => [
      label,
      textOf(value) ?? '',
    ]);
    for (const address of listOf(some['targets'])) {
      const before = {
        ...(Object.fromEntries(labels) as Labels),
        __address__: textOf(address) ?? '',
        job: name,
        ...(module !== undefined && { __param_module: module }),
        ...(target !== undefined && { __param_target: target }),
      };
      const after = relabel(before);
      if (after !== null) addTarget(job, { before, after }, context);
    }
  }
}

function addTarget(
  job: Given,
  { before, after }: { before: Labels; after: Labels },
  context: Context,
): void {
  const notes = new Notes();
  const { draft, modules, globals } = context;
  const target = (after['__param_target'] ?? before['__address__'] ?? '').trim();
  const name = after['__param_module'] ?? '';
  const source = thing('target', null, target);
  const module = moduleOf(name, modules);
  if (module === null)
    return draft.leaveOut(
      source,
      `Its module ${quoted(name)} is not known: add blackbox.yml after a line ---.`,
    );
  const monitor = monitorOf(module, target, notes);
  if (typeof monitor === 'string') return draft.leaveOut(source, monitor, notes);
  // Labels that relabeling makes are for queries.
  const labels = Object.entries(before).filter(
    ([label]) => !/^(?:__|job$|instance$|name$)/.test(label),
  );
  const seconds = secondsOf(job['scrape_interval'] ?? globals['scrape_interval'] ?? '1m') ?? 60;
  const timeout = secondsOf(module.timeout ?? job['scrape_timeout'] ?? globals['scrape_timeout']);
  const { type, fields } = monitor;
  draft.addMonitor(type, {
    source,
    notes,
    fields: {
      friendly_name: nameOf(
        before['name'] ?? before['instance'] ?? after['instance'] ?? target,
        255,
        'Target',
        notes,
      ),
      ...fields,
      group_id: draft.group(after['job'] ?? 'blackbox'),
      tags: tagsOf(
        labels.map(([label, value]) => `${label}:${value}`),
        notes,
      ),
      ...limited(notes, { check_interval: seconds, request_timeout: timeout }),
    },
  });
}

/** What a module asks a target; a text says why Tocsin can't. */
function monitorOf({ prober, settings }: Module, target: string, notes: Notes): Target | string {
  switch (prober) {
    case 'http': {
      const url = /^https?:\/\//i.test(target) ? target : `http://${target}`;
      const asked = httpTarget(url, notes);
      if (asked === undefined) return 'Its target is no address that Tocsin checks.';
      return {
        type: 'http',
        fields: { url: asked.url, ...asked.credentials, ...httpFields(settings, asked.url, notes) },
      };
    }
    case 'icmp':
      return { type: 'ping', fields: { url: hostTarget(target) } };
    case 'tcp':
      if (listOf(settings['query_response']).length > 0 || settings['tls'] === true)
        notes.change(
          'It checks whether its port opens, and neither talks nor looks at a certificate.',
        );
      return portOf(target, undefined);
    case 'dns':
      notes.change(DNS_PORT_ONLY);
      return portOf(target, 53);
    case 'grpc':
      notes.change(portOnly('gRPC'));
      return portOf(target, undefined);
    default:
      return `Tocsin has no prober ${quoted(prober)}.`;
  }
}

function portOf(target: string, standard: number | undefined): Target {
  const [, host = '', port] =
    /^(?:[a-z]+:\/\/)?(\[[^\]]*\]|[^:/]*)(?::(\d{1,5}))?/i.exec(target) ?? [];
  return { type: 'port', fields: { url: hostTarget(host), port: numberOf(port) ?? standard } };
}
