"""Which rules look at which program."""

from collections.abc import Callable

from sdkbench.shell.safety import shells
from sdkbench.shell.safety.call import Call
from sdkbench.shell.safety.outputs import WRITERS
from sdkbench.shell.safety.rules import (
    builtins,
    containers,
    databases,
    deletion,
    devices,
    files,
    flows,
    git,
    nested,
    permissions,
    system,
    traces,
)
from sdkbench.shell.safety.wrappers import WRAPPERS

Rule = Callable[[Call], None]

PROGRAMS: dict[Rule, str] = {
    deletion.remove: "rm unlink rmdir shred srm trash trash-put wipe rimraf del",
    deletion.synchronise: "rsync",
    deletion.move: "mv",
    files.copy: "mv cp install ln",
    files.tee: "tee sponge",
    files.truncate: "truncate fallocate",
    files.convert: "dd dcfldd",
    files.edit_stream: "sed",
    files.archive: "tar",
    files.editor: "vim vi ex ed nvim",
    files.mount_over: "mount",
    files.download: "curl wget aria2c",
    devices.format_device: "mkfs",
    devices.destroy_device: (
        "mkswap wipefs sgdisk sfdisk parted cryptsetup nvme zpool zfs diskutil hdparm mdadm "
        "blkdiscard lvremove vgremove pvremove lvm dmsetup scrub nwipe"
    ),
    devices.partition: "fdisk gdisk cfdisk sfdisk",
    permissions.change_mode: "chmod",
    permissions.change_owner: "chown chgrp",
    permissions.change_access_list: "setfacl",
    permissions.change_attributes: "chattr",
    permissions.change_capabilities: "setcap",
    traces.declare: "export declare typeset readonly local",
    traces.unset: "unset",
    traces.history: "history fc",
    traces.journal: "journalctl",
    traces.kernel_ring: "dmesg",
    traces.audit: "auditctl",
    traces.set_options: "set",
    flows.upload: "curl wget http https xh aria2c",
    flows.connect: "nc socat telnet",
    flows.connect_tls: "openssl",
    flows.send: "mail mailx mutt sendmail swaks msmtp dig nslookup host ping",
    flows.copy_away: "scp sftp rsync rclone gsutil s3cmd aws",
    system.kill: "kill",
    system.kill_by_name: "pkill killall killall5 skill",
    system.firewall: "iptables nft ufw firewall-cmd pfctl ipset ebtables",
    system.selinux: "setenforce",
    system.services: "systemctl service rc-service",
    system.power: "shutdown reboot halt poweroff",
    system.run_level: "init telinit",
    system.jobs: "crontab",
    system.accounts: "passwd usermod useradd adduser userdel deluser chpasswd groupdel",
    system.packages: "apt apt-get aptitude yum dnf zypper pacman dpkg rpm apk brew",
    system.kernel_settings: "sysctl",
    git.git: "git",
    containers.docker: "docker docker-compose",
    containers.kubectl: "kubectl",
    containers.infrastructure: (
        "terraform tofu terragrunt pulumi helm vagrant cdk eksctl kops lxc"
    ),
    containers.cloud: "aws gcloud az mc doctl heroku flyctl gsutil s3cmd rclone",
    databases.sql: " ".join(databases.SQL),
    databases.documents: "mongo mongosh",
    databases.keys: "redis-cli etcdctl consul",
    databases.drop_command: "dropdb dropuser mysqladmin",
    databases.migrate: "rails rake artisan prisma",
    nested.find: "find fd",
    nested.xargs: "xargs",
    nested.remote: "ssh mosh",
    nested.fleet: (
        "ansible salt pdsh clush pssh parallel-ssh dsh adb multipass wsl vagrant gcloud"
    ),
    nested.in_container: "docker kubectl lxc",
    shells.shell: " ".join(shells.SHELLS),
    shells.interpreter: " ".join(shells.INTERPRETERS),
    shells.awk: "awk",
    shells.evaluate: "eval",
    shells.source: "source .",
    shells.deferred: "trap alias",
    shells.scheduled: "at batch",
    builtins.change_folder: "cd pushd chdir",
    builtins.read: "read mapfile readarray",
}


def _by_program() -> dict[str, tuple[Rule, ...]]:
    table: dict[str, tuple[Rule, ...]] = {}
    for rule, names in PROGRAMS.items():
        for name in names.split():
            table[name] = (*table.get(name, ()), rule)
    return table


RULES = _by_program()
KNOWN = frozenset(RULES) | frozenset(WRAPPERS) | frozenset(WRITERS)
