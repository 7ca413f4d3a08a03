#!/bin/sh
# What both pipelines do, in the root of the repository: validate, plan, apply or drift.
# It ends with 0 if all is well, with 3 if drift finds a difference, and with another status if something failed.
set -eu

here=$(dirname "$0")

stop() {
    echo "$1" >&2
    exit 2
}

need_keys() {
    for name in MANAGEDFS_CONSOLE_URL MANAGEDFS_ACCESS_KEY MANAGEDFS_SECRET_KEY; do
        [ -n "$(printenv "$name")" ] || stop "$name is not set. It belongs to the environment of this job, see README.md."
    done
}

need_forge() {
    [ -n "${GITHUB_TOKEN-}${GITLAB_TOKEN-}" ] || stop "This needs GitHub or GitLab, and its token. By hand, see the guide 'A console becomes code'."
}

play() {
    playbook=$1
    shift
    ansible-playbook "managedfs.console.$playbook" -e "@$here/variables.yml" "$@"
}

# The state in the first line of a summary: same, differs, failed or unknown. Nothing, where Ansible did not come that far.
state_of() {
    [ ! -f "$1" ] || sed -n '1s/^<!-- managedfs: \([a-z]*\).*/\1/p' "$1"
}

validate() {
    play validate
}

# Keeps the plan as plan.md, once it has been shown.
plan() {
    need_keys
    need_forge
    rm -f plan.md new.md
    play apply --check -e apply_summary_file=new.md || true
    [ -n "$(state_of new.md)" ] || printf '<!-- managedfs: failed -->\nThere is no plan. The log says why.\n' > new.md
    python3 "$here/forge.py" comment new.md || stop "The plan could not be shown."
    mv new.md plan.md
    [ "$(state_of plan.md)" != failed ] || stop "The plan failed."
}

# The role itself stops, before anything is written, where the plan is another by now.
apply() {
    need_keys
    need_forge
    rm -f seen.md
    python3 "$here/forge.py" seen seen.md || stop "Nothing was applied."
    checksum=$(sed -n -E '1s/^<!-- managedfs: (same|differs) ([0-9a-z-]+) -->$/\2/p' seen.md)
    [ -n "$checksum" ] || stop "The plan that was seen had failed. Nothing was applied."
    play apply -e "apply_expected_plan=$checksum"
}

drift() {
    need_keys
    rm -f drift.md
    # With this option, the role refuses to compare with nothing.
    play report -e report_fail_on_drift=true -e report_summary_file=drift.md || true
    case $(state_of drift.md) in
        same) ;;
        differs)
            echo "The console differs from the files." >&2
            exit 3
            ;;
        *) stop "The console could not be compared with the files." ;;
    esac
}

case ${1-} in
    validate | plan | apply | drift) "$1" ;;
    *) stop "usage: console.sh validate|plan|apply|drift" ;;
esac
