PS1='demo@demo-box:\w\$ '
