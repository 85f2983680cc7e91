"""OFFLINE: what a command without a network is told, so that a download fails at once.

Without these, a hub client or a package manager tries again for minutes before it says why.
Switches that change what a library computes are not here (tracing, say): only those that spare a
request. A command's own environment overrides them. Go's are its runner's own.
"""

OFFLINE = {
    # Model hubs
    "HF_HUB_OFFLINE": "1",
    "HF_DATASETS_OFFLINE": "1",
    "TRANSFORMERS_OFFLINE": "1",
    # Package managers
    "PIP_NO_INDEX": "1",
    "PIP_RETRIES": "0",
    "PIP_DISABLE_PIP_VERSION_CHECK": "1",
    "UV_OFFLINE": "1",
    "npm_config_offline": "true",  # npm and pnpm
    "npm_config_audit": "false",
    "npm_config_fund": "false",
    "npm_config_update_notifier": "false",
    "YARN_ENABLE_NETWORK": "0",
    "CARGO_NET_OFFLINE": "true",
    # Telemetry and looking for newer versions
    "DO_NOT_TRACK": "1",
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "ANONYMIZED_TELEMETRY": "False",
    "SCARF_NO_ANALYTICS": "true",
    "NEXT_TELEMETRY_DISABLED": "1",
    "YARN_ENABLE_TELEMETRY": "0",
    "CHECKPOINT_DISABLE": "1",
    "NO_UPDATE_NOTIFIER": "1",
}
