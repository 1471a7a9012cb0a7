{{- define "searchqa.name" -}}
{{- if contains "searchqa" .Release.Name }}{{ .Release.Name }}{{ else }}{{ .Release.Name }}-searchqa{{ end -}}
{{- end }}

{{- define "searchqa.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{- define "searchqa.secret" -}}
{{ .Values.secrets.existing | default (include "searchqa.name" .) }}
{{- end }}

{{/* Of a part: (dict "root" $ "part" "api") */}}
{{- define "searchqa.selector" -}}
app.kubernetes.io/name: searchqa
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .part }}
{{- end }}

{{- define "searchqa.labels" -}}
{{ include "searchqa.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ .root.Chart.Name }}-{{ .root.Chart.Version }}
{{- end }}

{{/* A variable from the Secret: (list $ "DATABASE_URL" "API_DATABASE_URL" optional?) */}}
{{- define "searchqa.secretEnv" -}}
- name: {{ index . 1 }}
  valueFrom:
    secretKeyRef:
      name: {{ include "searchqa.secret" (index . 0) }}
      key: {{ index . 2 }}
      {{- if gt (len .) 3 }}
      optional: true
      {{- end }}
{{- end }}

{{/* Redis, and the one that carries the messages where that is another. */}}
{{- define "searchqa.brokers" -}}
{{- include "searchqa.secretEnv" (list . "REDIS_URL" "REDIS_URL") }}
{{ include "searchqa.secretEnv" (list . "BROKER_URL" "BROKER_URL" "optional") }}
{{- end }}

{{/* The port of a process that answers Prometheus. */}}
{{- define "searchqa.metricsPort" -}}
{{- if .Values.metrics.enabled -}}
- name: metrics
  containerPort: {{ .Values.metrics.port }}
{{- end }}
{{- end }}

{{- define "searchqa.modelKeys" -}}
{{- range list "OPENAI_API_KEY" "ANTHROPIC_API_KEY" "SEARCHQA_SERVER_KEYS" }}
{{ include "searchqa.secretEnv" (list $ . . "optional") }}
{{- end }}
{{- end }}

{{/* What every pod of ours has: (dict "root" $ "part" "api") */}}
{{- define "searchqa.podMetadata" -}}
labels:
  {{- include "searchqa.labels" . | nindent 2 }}
annotations:
  # A changed setting or secret restarts the pods, one after the other.
  checksum/settings: {{ toJson (list .root.Values.settings .root.Values.env) | sha256sum }}
  checksum/secrets: {{ toJson .root.Values.secrets | sha256sum }}
  {{- if and .root.Values.metrics.enabled (not .root.Values.metrics.podMonitor) (not (has .part (list "migrate" "flower"))) }}
  prometheus.io/scrape: "true"
  prometheus.io/port: {{ .root.Values.metrics.port | quote }}
  {{- end }}
  {{- with .root.Values.podAnnotations }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- end }}

{{- define "searchqa.podSpec" -}}
{{- if ne .part "migrate" }}
serviceAccountName: {{ include "searchqa.name" .root }}
{{- end }}
automountServiceAccountToken: false
securityContext:
  runAsNonRoot: true
  runAsUser: 10001
  runAsGroup: 10001
  fsGroup: 10001
  seccompProfile:
    type: RuntimeDefault
{{- with .root.Values.image.pullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .root.Values.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .root.Values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
topologySpreadConstraints:
  - maxSkew: 1
    topologyKey: kubernetes.io/hostname
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels:
        {{- include "searchqa.selector" . | nindent 8 }}
volumes:
  - name: tmp
    emptyDir: {}
{{- end }}

{{/* (dict "root" $ "part" "api" "resources" …) */}}
{{- define "searchqa.container" -}}
name: {{ .part }}
image: {{ include "searchqa.image" .root }}
imagePullPolicy: {{ .root.Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities:
    drop: [ALL]
resources:
  {{- toYaml .resources | nindent 2 }}
volumeMounts:
  - name: tmp
    mountPath: /tmp
{{- end }}

{{- define "searchqa.env" -}}
- name: SEARCHQA_HEARTBEAT_FILE
  value: /tmp/searchqa-heartbeat
# Matplotlib's cache: the file system is read-only but for /tmp.
- name: MPLCONFIGDIR
  value: /tmp
{{- if .Values.metrics.enabled }}
- name: SEARCHQA_METRICS_HOST
  value: 0.0.0.0
- name: SEARCHQA_METRICS_PORT
  value: {{ .Values.metrics.port | quote }}
{{- end }}
{{- range $name, $value := .Values.settings }}
- name: SEARCHQA_{{ $name }}
  value: {{ $value | quote }}
{{- end }}
{{- range $name, $value := .Values.env }}
- name: {{ $name }}
  value: {{ $value | quote }}
{{- end }}
{{- end }}

{{- define "searchqa.ports" -}}
{{- range . }}
- port: {{ . }}
{{- end }}
{{- end }}

{{/* Frozen and hung processes end themselves; this ends one that cannot even do that. */}}
{{- define "searchqa.heartbeatProbe" -}}
livenessProbe:
  exec:
    command: [python, -m, app.platform.heartbeat, /tmp/searchqa-heartbeat]
  initialDelaySeconds: 30
  periodSeconds: 15
  timeoutSeconds: 10
  failureThreshold: 4
{{- end }}

{{/* Of what may have several pods: (dict "root" $ "part" "api" "workload" .Values.api) */}}
{{- define "searchqa.disruptionBudget" -}}
{{- $scaling := .workload.autoscaling | default dict }}
{{- if gt (int (ternary $scaling.maxReplicas .workload.replicas ($scaling.enabled | default false))) 1 }}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: {{ include "searchqa.name" .root }}-{{ .part }}
  labels:
    {{- include "searchqa.labels" . | nindent 4 }}
spec:
  maxUnavailable: 1
  selector:
    matchLabels:
      {{- include "searchqa.selector" . | nindent 6 }}
{{- end }}
{{- end }}
